// SPDX-License-Identifier: Apache-2.0
#include "caches/level_probe.hpp"

#include <algorithm>
#include <string>

#include <ridge/base/byte_units.hpp>
#include <ridge/base/error.hpp>
#include <ridge/base/units.hpp>

#include "arithmetic/core_clock.hpp"

namespace ridge::backends::probe_host {
namespace {

constexpr double level_sample_s = 0.3e-3;
constexpr double level_time_s = 8e-3;
constexpr std::size_t level_stagger = 64 * 4;  // so that stores and loads at one place differ below 4 KiB

struct level_op {
  std::string_view name, words;
  int arrays;
  array_kernel run;
  float result;  // 0: none is written
};

level_op op_named(std::string_view name) {
  const auto& k = best_memory_kernels();
  if (name == "read") return {name, "every line of b", 1, k.load, 0};
  if (name == "write") return {name, "a = 3", 1, k.write.front().run, 3};
  if (name == "copy") return {name, "a = b", 2, k.copy.front().run, 1};
  return {"triad", "a = b + 3 c", 3, k.triad.front().run, 4};
}

std::size_t least_bytes(const host::topology& machine, int level) {
  std::size_t least = 0;
  for (const auto& c : machine.caches) {
    if (c.level != level || c.kind == host::cache_kind::instruction) continue;
    least = least == 0 ? c.bytes : std::min(least, c.bytes);
  }
  return least;
}

model::ceiling measure_level(sampler& sampler, const private_buffers& buffers, const level& level,
                             const level_op& op) {
  level_loop loop(sampler, buffers, level.bytes, op.arrays, op.run);
  core_clock clock(sampler);
  const auto found = sample_rate(
      sampler.clock(),
      [&] {
        const auto t = loop.step(sampler);
        clock.step(sampler);
        return t;
      },
      loop.work(), level_time_s);
  if (op.result != 0 && *loop.first(0) != op.result)
    throw failure({"the " + std::string(op.name) + " kernel wrote a wrong value", ""});
  return {.id = "cpu." + std::string(op.name) + "." + std::string(level.name),
          .description = std::string(op.words) + " in the cache " + std::string(level.name),
          .unit = "B/s",
          .value = found.value,
          .ci = found.ci,
          .variant = std::string(best_memory_kernels().name),
          .threads = sampler.threads(),
          .size_bytes = static_cast<double>(level.bytes),
          .note = found.note,
          .clock_hz = clock.hz(),
          .disturbed = found.disturbed || found.unlike()};
}

}  // namespace

std::vector<level> cache_levels(const host::topology& machine, int threads) {
  const auto l1 = least_bytes(machine, 1), l2 = least_bytes(machine, 2);
  const auto share = machine.cache_bytes(3) / static_cast<std::size_t>(std::max(threads, 1));
  const auto l3 = std::min(4 * l2, share * 2 / 5);
  std::vector<level> found;
  if (l1 > 0) found.push_back({"l1", l1 / 2});
  if (l2 > l1) found.push_back({"l2", l2 / 2});
  if (l3 > l2) found.push_back({"l3", l3});
  return found;
}

private_buffers::private_buffers(sampler& sampler, std::size_t bytes_each) {
  for (int i = 0; i < sampler.threads(); ++i)
    parts_.emplace_back(bytes_each, host::huge_page_bytes, host::huge_pages::transparent,
                        host::first_touch::later);
  sampler.run([&](int rank, int) {
    const auto floats = parts_[static_cast<std::size_t>(rank)].as<float>();
    std::ranges::fill(floats, 1.0f);
  });
}

level_loop::level_loop(sampler& sampler, const private_buffers& buffers, std::size_t bytes, int arrays,
                       array_kernel kernel)
    : buffers_(&buffers),
      elements_(std::max(kernel_block, bytes / sizeof(float) / static_cast<std::size_t>(arrays) /
                                           kernel_block * kernel_block)),
      arrays_(arrays),
      threads_(sampler.threads()),
      kernel_(kernel) {
  turn(sampler, 1);
  for (auto t = turn(sampler, passes_); t.seconds <= level_sample_s / 8; t = turn(sampler, passes_))
    passes_ *= 4;
  const auto t = turn(sampler, passes_);
  passes_ = std::max<std::size_t>(
      1, static_cast<std::size_t>(static_cast<double>(passes_) * level_sample_s / std::max(t.seconds, 1e-9)));
}

const float* level_loop::first(int rank) const {
  return static_cast<const float*>(static_cast<const void*>(buffers_->of(rank).data())) + kernel_block;
}

timing level_loop::turn(sampler& sampler, std::size_t passes) {
  return sampler.time([&](int rank, int) {
    auto* sums = static_cast<float*>(static_cast<void*>(buffers_->of(rank).data()));
    auto* a = sums + kernel_block;
    const auto* b = arrays_ == 1 ? a : a + elements_ + level_stagger / sizeof(float);
    const auto* c = b + elements_ + level_stagger / sizeof(float);
    kernel_(kernel_ == best_memory_kernels().load ? sums : a, b, c, elements_, passes);
  });
}

timing level_loop::step(sampler& sampler) { return turn(sampler, passes_); }

double level_loop::work() const {
  return static_cast<double>(elements_ * sizeof(float) * passes_) * arrays_ * threads_;
}

model::ceiling probe_level(sampler& sampler, const host::topology& machine, std::string_view title,
                           std::string_view place) {
  const auto levels = cache_levels(machine, sampler.threads());
  const auto at = std::ranges::find(levels, place, &level::name);
  if (at == levels.end())
    throw unavailable("a cache " + std::string(place), "this system tells of none that a thread can fill");
  const private_buffers in(sampler, at->bytes + 8 * kib);
  return measure_level(sampler, in, *at, op_named(title));
}

model::ceiling probe_read_sweep(sampler& sampler, std::size_t most) {
  const auto threads = static_cast<std::size_t>(sampler.threads());
  const private_buffers in(sampler, most / threads + 8 * kib);
  const auto op = op_named("read");
  model::ceiling row{.id = "cpu.sweep.read",
                     .description = "reading working sets of all sizes",
                     .unit = "B/s",
                     .variant = std::string(best_memory_kernels().name),
                     .threads = sampler.threads()};
  std::vector<std::pair<double, double>> seen;
  for (std::size_t octave = 4 * kib; octave <= most / threads; octave *= 2) {
    for (const auto bytes : {octave, octave * 5 / 4, octave * 3 / 2, octave * 7 / 4}) {
      if (bytes > most / threads) break;
      level_loop loop(sampler, in, bytes, 1, op.run);
      const auto found = sample_rate(
          sampler.clock(), [&] { return loop.step(sampler); }, loop.work(), level_time_s / 2);
      row.value = found.value, row.ci = found.ci, row.disturbed |= found.disturbed || found.unlike();
      row.size_bytes = static_cast<double>(bytes * threads);
      row.series.push_back({format_quantity(row.size_bytes, "B"), found.value});
      seen.emplace_back(row.size_bytes, found.value);
    }
  }
  row.note = words_of(plateaus(seen), row.unit);
  return row;
}

std::vector<plateau> plateaus(const std::vector<std::pair<double, double>>& seen) {
  constexpr double width = 1.125;
  std::vector<plateau> found;
  for (std::size_t begin = 0, end = 0; begin < seen.size(); begin = end) {
    double lo = seen[begin].second, hi = lo;
    std::vector<double> run;
    for (end = begin; end < seen.size(); ++end) {
      lo = std::min(lo, seen[end].second), hi = std::max(hi, seen[end].second);
      if (hi > width * lo) break;
      run.push_back(seen[end].second);
    }
    if (run.size() < 3) {
      end = begin + 1;
      continue;
    }
    std::ranges::sort(run);
    found.push_back({seen[end - 1].first, run[run.size() / 2]});
  }
  return found;
}

std::string words_of(const std::vector<plateau>& levels, std::string_view unit) {
  std::string words;
  for (const auto& one : levels) {
    words += words.empty() ? "levels seen: " : ", ";
    words += format_quantity(one.value, unit) + " to " + format_quantity(one.up_to_bytes, "B");
  }
  return words;
}

}  // namespace ridge::backends::probe_host
