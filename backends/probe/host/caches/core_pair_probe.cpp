// SPDX-License-Identifier: Apache-2.0
#include "caches/core_pair_probe.hpp"

#include <algorithm>
#include <atomic>
#include <new>
#include <optional>

#include <fmt/format.h>

#include <ridge/base/error.hpp>
#include <ridge/host/pages.hpp>

namespace ridge::backends::probe_host {
namespace {

constexpr std::size_t pages = 8;
constexpr std::size_t page_bytes = 4096;
constexpr std::size_t most_cores = 24;
constexpr std::int64_t round_trips = 400;
constexpr double pair_time_s = 6e-3;

struct two_lines {
  alignas(64) std::atomic<std::int64_t> first{0};
  alignas(64) std::atomic<std::int64_t> second{0};
};

// Rank 0 makes the number odd, rank 1 even again.
void exchange(two_lines& lines, int rank) {
  for (std::int64_t i = 0; i < round_trips; ++i) {
    auto wanted = 2 * i + rank;
    while (!lines.first.compare_exchange_weak(wanted, 2 * i + rank + 1)) wanted = 2 * i + rank;
  }
}

void flag(two_lines& lines, int rank) {
  auto& mine = rank == 0 ? lines.first : lines.second;
  const auto& other = rank == 0 ? lines.second : lines.first;
  for (std::int64_t i = 1; i <= round_trips; ++i) {
    if (rank == 0) mine.store(i, std::memory_order_release);
    while (other.load(std::memory_order_acquire) < i) {
    }
    if (rank == 1) mine.store(i, std::memory_order_release);
  }
}

using game = void (*)(two_lines&, int);

// Returns the fastest of several lines, each first touched by one of the two cores.
rate play_between(sampler& sampler, game play) {
  std::optional<rate> best;
  for (std::size_t i = 0; i < pages; ++i) {
    const host::region memory(page_bytes, page_bytes, host::huge_pages::no, host::first_touch::later);
    two_lines* lines = nullptr;
    sampler.run([&](int rank, int) {
      if (rank == static_cast<int>(i % 2)) lines = new (memory.bytes().data() + i * 128) two_lines;
    });
    const auto once = [&] {
      lines->first = 0, lines->second = 0;
      return sampler.time([&](int rank, int) { play(*lines, rank); });
    };
    const auto found = sample_rate(sampler.clock(), once, 2.0 * round_trips, pair_time_s);
    if (!best || (!found.disturbed && found.value > best->value) || best->disturbed) best = found;
  }
  return *best;
}

struct matrix {
  std::vector<int> cpus{};
  std::vector<std::vector<double>> seconds{};
  std::vector<double> sorted{};
  bool disturbed = false;
};

model::ceiling pair_row(const matrix& matrix, std::string id, std::string title) {
  const auto& s = matrix.sorted;
  model::ceiling found{.id = std::move(id),
                       .description = std::move(title),
                       .unit = "s",
                       .value = s[s.size() / 2],
                       .ci = {s.front(), s.back()},
                       .variant = fmt::format("median of {} pairs", s.size()),
                       .threads = 2,
                       .disturbed = matrix.disturbed};
  for (std::size_t i = 0; i < matrix.cpus.size(); ++i) {
    for (std::size_t j = 0; j < matrix.cpus.size(); ++j)
      if (i < j)
        found.series.push_back(
            {fmt::format("{} -> {}", matrix.cpus[i], matrix.cpus[j]), matrix.seconds[i][j]});
  }
  const auto groups = clusters(matrix.seconds);
  if (groups.size() > 1) found.note = fmt::format("{} clusters of cores", groups.size());
  return found;
}

matrix measured_pairs(const measure::clock& clock, const std::vector<int>& cpus, game play) {
  matrix found{.cpus = cpus, .seconds = std::vector(cpus.size(), std::vector<double>(cpus.size(), 0.0))};
  for (std::size_t i = 0; i < cpus.size(); ++i) {
    for (std::size_t j = i + 1; j < cpus.size(); ++j) {
      host::team pair({cpus[i], cpus[j]});
      sampler on(clock, &pair);
      const auto best = play_between(on, play);
      found.seconds[i][j] = found.seconds[j][i] = 1 / best.value;
      found.sorted.push_back(1 / best.value);
      found.disturbed |= best.disturbed;
    }
  }
  std::ranges::sort(found.sorted);
  return found;
}

}  // namespace

std::vector<std::vector<std::size_t>> clusters(const std::vector<std::vector<double>>& seconds) {
  constexpr double near = 1.3;
  double least = 0;
  for (std::size_t i = 0; i < seconds.size(); ++i) {
    for (std::size_t j = 0; j < seconds.size(); ++j)
      if (i != j && (least == 0 || seconds[i][j] < least)) least = seconds[i][j];
  }
  std::vector<std::vector<std::size_t>> found;
  for (std::size_t i = 0; i < seconds.size(); ++i) {
    const auto home = std::ranges::find_if(
        found, [&](const auto& group) { return seconds[i][group.front()] <= near * least; });
    if (home == found.end())
      found.push_back({i});
    else
      home->push_back(i);
  }
  return found;
}

std::vector<model::ceiling> probe_core_pairs(const measure::clock& clock, const host::topology& machine) {
  auto cpus = machine.one_cpu_per_core();
  if (cpus.size() < 2) throw unavailable("a second core", "allow this process more cores");
  const auto step = (cpus.size() + most_cores - 1) / most_cores;
  std::vector<int> some;
  for (std::size_t i = 0; i < cpus.size(); i += step) some.push_back(cpus[i]);
  return {pair_row(measured_pairs(clock, some, exchange), "cpu.core_to_core.exchange",
                   "a cache line from core to core, compare-and-exchange"),
          pair_row(measured_pairs(clock, some, flag), "cpu.core_to_core.flag",
                   "a written flag from core to core, a line each way")};
}

}  // namespace ridge::backends::probe_host
