// SPDX-License-Identifier: Apache-2.0
#include "caches/latency_probe.hpp"

#include <algorithm>
#include <atomic>
#include <optional>
#include <string>

#include <fmt/format.h>

#include <ridge/base/byte_units.hpp>
#include <ridge/base/error.hpp>
#include <ridge/base/units.hpp>

#include "caches/chase.hpp"
#include "caches/level_probe.hpp"

namespace ridge::backends::probe_host {
namespace {

constexpr double latency_sample_s = 0.3e-3;
constexpr double latency_time_s = 12e-3;
constexpr std::size_t small_page = 4 * kib;
constexpr std::size_t most_pages = 32768;

// Times the work of rank 0 while the other ranks idle.
template <class Body>
timing timed_alone(sampler& sampler, Body body) {
  return sampler.time([&](int rank, int) {
    if (rank == 0) body();
  });
}

model::ceiling row_of(std::string id, std::string title, const rate& found, std::string variant) {
  return {.id = std::move(id),
          .description = std::move(title),
          .unit = "s",
          .value = 1 / found.value,
          .ci = {1 / found.ci.hi, 1 / found.ci.lo},
          .variant = std::move(variant),
          .note = found.note,
          .disturbed = found.disturbed || found.unlike()};
}

// Returns the loads per second of a dependent chase.
rate chase_rate(sampler& sampler, chase& through) {
  std::int64_t loads = 1024;
  const auto step = [&] { return timed_alone(sampler, [&] { through.run(loads); }); };
  constexpr std::size_t lap = mib;  // lines of 64 MiB: one round, so that caches hold what they can
  if (through.places() <= lap) through.run(static_cast<std::int64_t>(through.places() + 15) / 16 * 16);
  for (auto t = step(); t.seconds <= latency_sample_s / 4; t = step()) loads *= 2;
  const auto t = step();
  loads = std::max<std::int64_t>(
      16, static_cast<std::int64_t>(static_cast<double>(loads) * latency_sample_s / t.seconds) / 16 * 16);
  return sample_rate(sampler.clock(), step, static_cast<double>(loads), latency_time_s);
}

rate chase_lines(sampler& sampler, std::size_t bytes, host::huge_pages pages) {
  const host::region memory(bytes, host::huge_page_bytes, pages);
  auto through = chase::over_lines(memory.bytes());
  return chase_rate(sampler, through);
}

std::string pages_seen(const host::region& memory) {
  return host::huge_bytes_of(memory.bytes()) >= memory.bytes().size() / 2 ? "huge pages" : "small pages";
}

model::ceiling latency_of(sampler& sampler, const level& level) {
  const host::region memory(std::max(level.bytes, host::huge_page_bytes), host::huge_page_bytes,
                            host::huge_pages::transparent);
  auto through = chase::over_lines(memory.bytes().first(level.bytes));
  auto row = row_of("cpu.latency." + std::string(level.name),
                    "a load that waits for the one before, from " + std::string(level.name),
                    chase_rate(sampler, through), pages_seen(memory));
  row.size_bytes = static_cast<double>(level.bytes);
  return row;
}

// Returns the loads per second with one line on each of `count` pages; packed: with the same lines side by
// side.
rate pages_rate(sampler& sampler, std::size_t count, bool packed) {
  const auto bytes = count * (packed ? 64 : small_page);
  const host::region memory(std::max(bytes, small_page), small_page,
                            packed ? host::huge_pages::transparent : host::huge_pages::no);
  auto through = chase::over_pages(memory.bytes().first(bytes), packed ? 64 : small_page);
  return chase_rate(sampler, through);
}

rate fault_rate(sampler& sampler, std::size_t page, std::size_t count, host::huge_pages pages) {
  const auto once = [&] {
    const host::region memory(page * count, page, pages, host::first_touch::later);
    return timed_alone(sampler, [&] {
      for (std::size_t i = 0; i < count; ++i) {
        auto& byte = memory.bytes()[i * page];
        *static_cast<volatile std::byte*>(&byte) = std::byte{1};
      }
    });
  };
  return sample_rate(sampler.clock(), once, static_cast<double>(count), latency_time_s);
}

// The other ranks read their own buffers until rank 0 has finished its loads, and pause after every 4 KiB.
class injectors final {
 public:
  injectors(sampler& sampler, std::size_t bytes)
      : buffers_(sampler, bytes), read_(static_cast<std::size_t>(sampler.threads())) {}
  timing step(sampler& sampler, chase& through, std::int64_t loads, int pauses) {
    stop_ = false;
    return sampler.time([&](int rank, int) {
      if (rank == 0) {
        through.run(loads);
        stop_ = true;
      } else {
        inject(static_cast<std::size_t>(rank), pauses);
      }
    });
  }
  [[nodiscard]] double bytes() const {
    double sum = 0;
    for (const auto one : read_) sum += static_cast<double>(one);
    return sum;
  }

 private:
  void inject(std::size_t rank, int pauses) {
    const auto memory = buffers_.of(static_cast<int>(rank));
    const auto* from = static_cast<const float*>(static_cast<const void*>(memory.data()));
    constexpr std::size_t piece = 1024;
    const auto pieces = memory.size() / sizeof(float) / piece;
    alignas(64) std::array<float, 16> sums{};
    std::size_t done = 0;
    for (; !stop_.load(std::memory_order_relaxed); ++done) {
      best_memory_kernels().read.front().run(sums.data(), from + next_++ % pieces * piece, nullptr, piece, 1);
      for (int i = 0; i < pauses; ++i) asm volatile("" ::: "memory");
    }
    read_[rank] = done * piece * sizeof(float);
  }
  private_buffers buffers_;
  std::vector<std::size_t> read_;
  std::atomic<std::size_t> next_{0};
  std::atomic<bool> stop_{false};
};

}  // namespace

std::size_t chase_bytes(const host::topology& machine) {
  const auto memory = machine.usable_memory_bytes();
  return memory == 0 ? 256 * mib
                     : std::max<std::size_t>(mib, std::min<std::size_t>(256 * mib, memory / 8 / mib * mib));
}

std::vector<model::ceiling> probe_latency(sampler& sampler, const host::topology& machine, bool thorough) {
  auto levels = cache_levels(machine, 1);
  levels.push_back({"memory", chase_bytes(machine)});
  std::vector<model::ceiling> rows;
  for (const auto& at : levels) rows.push_back(latency_of(sampler, at));
  if (!thorough) return rows;
  const auto bytes = levels.back().bytes;
  rows.push_back(row_of("cpu.latency.memory.small_pages",
                        "a load that waits for the one before, from memory on pages of 4 KiB",
                        chase_lines(sampler, bytes, host::huge_pages::no), "small pages"));
  rows.back().size_bytes = static_cast<double>(bytes);
  return rows;
}

model::ceiling probe_latency_sweep(sampler& sampler, std::size_t most) {
  model::ceiling row;
  std::vector<model::ceiling_point> series;
  std::vector<std::pair<double, double>> seen;
  bool disturbed = false;
  for (std::size_t octave = 8 * kib; octave <= most; octave *= 2) {
    for (const auto bytes : {octave, octave * 5 / 4, octave * 3 / 2, octave * 7 / 4}) {
      if (bytes > most) break;
      row = latency_of(sampler, {"sweep", bytes});
      series.push_back({format_quantity(row.size_bytes, "B"), row.value});
      seen.emplace_back(row.size_bytes, row.value);
      disturbed |= row.disturbed;
    }
  }
  row.note = words_of(plateaus(seen), row.unit);
  row.disturbed = disturbed;
  row.id = "cpu.sweep.latency", row.description = "a load that waits for the one before, over sizes";
  row.series = std::move(series);
  return row;
}

model::ceiling probe_parallel_loads(sampler& sampler, std::size_t bytes) {
  const host::region memory(bytes, host::huge_page_bytes, host::huge_pages::transparent);
  const auto through = chase::over_lines(memory.bytes());
  model::ceiling row{.id = "cpu.parallel_loads",
                     .description = "independent loads from memory by one core",
                     .unit = "op/s",
                     .size_bytes = static_cast<double>(bytes)};
  double alone_rate = 0;
  for (const auto count : together) {
    auto starts = through.starts(count);
    constexpr std::int64_t loads = 2048;
    const auto step = [&] { return timed_alone(sampler, [&] { run_together(starts, loads); }); };
    const auto found = sample_rate(sampler.clock(), step,
                                   static_cast<double>(loads) * static_cast<double>(count), latency_time_s);
    if (count == 1) alone_rate = found.value;
    row.series.push_back({std::to_string(count), found.value});
    if (found.value <= row.value) continue;
    row.value = found.value, row.ci = found.ci, row.disturbed = found.disturbed;
    row.variant = std::to_string(count) + " chases, " + pages_seen(memory);
  }
  row.note = fmt::format("{:.1f} loads in flight", row.value / alone_rate);
  return row;
}

model::ceiling probe_loaded_latency(sampler& sampler, std::size_t bytes) {
  if (sampler.threads() < 2) throw unavailable("a second core, to load the memory", "allow more threads");
  const host::region memory(bytes, host::huge_page_bytes, host::huge_pages::transparent);
  auto through = chase::over_lines(memory.bytes());
  injectors others(sampler, 64 * mib);
  constexpr std::int64_t loads = 4096;
  model::ceiling row;
  std::vector<model::ceiling_point> series;
  for (const int pauses : {20000, 5000, 2000, 1000, 500, 200, 0}) {
    std::vector<double> reached;
    const auto step = [&] {
      const auto t = others.step(sampler, through, loads, pauses);
      reached.push_back(others.bytes() / t.seconds);
      return t;
    };
    row = row_of("cpu.latency_loaded", "a load from memory while the other cores read",
                 sample_rate(sampler.clock(), step, loads, latency_time_s), "huge pages");
    std::ranges::sort(reached);
    series.push_back({format_quantity(reached[reached.size() / 2], "B/s"), row.value});
  }
  row.threads = sampler.threads(), row.series = std::move(series);
  row.size_bytes = static_cast<double>(bytes);
  return row;
}

model::ceiling probe_tlb(sampler& sampler) {
  model::ceiling row;
  std::vector<model::ceiling_point> series;
  for (std::size_t pages = 16; pages <= most_pages; pages *= 2) {
    const auto apart = pages_rate(sampler, pages, false), packed = pages_rate(sampler, pages, true);
    row = row_of("cpu.tlb.small_pages", "what finding a page's address adds to a load", apart, "4 KiB pages");
    const double less = 1 / packed.value;
    row.value -= less, row.ci.lo -= less, row.ci.hi -= less;
    row.disturbed = apart.disturbed || packed.disturbed;
    series.push_back({std::to_string(pages) + " pages", row.value});
  }
  row.series = std::move(series);
  row.size_bytes = static_cast<double>(most_pages * small_page);
  return row;
}

std::vector<model::ceiling> probe_page_faults(sampler& sampler) {
  return {row_of("cpu.page_fault.small", "first touch of a page of 4 KiB",
                 fault_rate(sampler, small_page, 512, host::huge_pages::no), "small pages"),
          row_of("cpu.page_fault.huge", "first touch of a page of 2 MiB, if the system gives any",
                 fault_rate(sampler, host::huge_page_bytes, 4, host::huge_pages::transparent), "huge pages")};
}

}  // namespace ridge::backends::probe_host
