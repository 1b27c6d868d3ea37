// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include <ridge/base/splitmix.hpp>
#include <ridge/harness/experiment.hpp>
#include <ridge/harness/forks.hpp>
#include <ridge/harness/runner.hpp>

#include "rows.hpp"

namespace ridge::selftest {
namespace {

constexpr std::size_t values = 4096;
constexpr int processes = 3;  // whose layouts one comparison samples

struct counting_workload {
  input<std::uint32_t> drawn{};
  output<std::uint32_t> below{};
  std::size_t first_copy = 0, second_copy = 0;
};

constexpr std::uint32_t bound = 1U << 31;

// Counts the values below the bound, one by one. The copies differ only in where their loop lies in the lines
// of the instruction cache: `Offset` instructions that do nothing come before it.
template <int Offset>
[[gnu::noinline, gnu::aligned(64)]] void count_below(counting_workload& w) {
  asm volatile(".rept %c0\n\tnop\n\t.endr" ::"i"(Offset));
  std::uint32_t count = 0;
  for (const auto value : w.drawn) {
    count += value < bound ? 1 : 0;
    asm volatile("" : "+r"(count));  // keeps the compiler from counting several at once
  }
  w.below[0] = count;
}

constexpr std::array<void (*)(counting_workload&), 8> copies{
    count_below<0>,  count_below<8>,  count_below<16>, count_below<24>,
    count_below<32>, count_below<40>, count_below<48>, count_below<56>};

auto first_copy(counting_workload& w, setup&) {
  return [count = copies[w.first_copy]](counting_workload& called, call&) { count(called); };
}
auto second_copy(counting_workload& w, setup&) {
  return [count = copies[w.second_copy]](counting_workload& called, call&) { count(called); };
}

ladder<counting_workload> two_copies() {
  return {{.name = "first", .is = role::baseline, .run = first_copy}, {.name = "second", .run = second_copy}};
}

experiment copies_of_a_body(std::size_t first, std::size_t second) {
  return experiment_of<counting_workload>{
      .id = "selftest.code_layouts",
      .title = "Identical arms whose code lies elsewhere",
      .question = "Does the harness tell copies of one body apart?",
      .make =
          [first, second](const problem&, memory& m) {
            return counting_workload{m.in<std::uint32_t>(values, random_bits{}), m.out<std::uint32_t>(1),
                                     first, second};
          },
      .oracle =
          [](counting_workload& w) {
            w.below[0] = static_cast<std::uint32_t>(
                std::ranges::count_if(w.drawn, [](std::uint32_t value) { return value < bound; }));
          },
      .cpu = two_copies,
  };
}

// One process's comparison of two copies that are drawn.
model::family comparison_of_copies(splitmix_generator& draw, std::uint64_t seed,
                                   const surroundings& surroundings) {
  const auto subject = copies_of_a_body(draw.below(copies.size()), draw.below(copies.size()));
  harness::run_options options;
  options.profile.budget_per_arm_s = 0.02;
  options.memory_pass = options.lone_pass = false;
  options.protocol.seed = seed;
  harness::instruments equipment;
  equipment.device = surroundings.host;
  return harness::measure_family({subject, subject.problems().front(), model::backend::cpu}, equipment,
                                 options);
}

}  // namespace

row code_layouts(std::string name, const surroundings& surroundings) {
  if (surroundings.host == nullptr) return {.name = std::move(name), .skipped = "no device"};
  const int trials = std::max(20, static_cast<int>(200 * surroundings.scale));
  splitmix_generator draw(17);
  int excluded = 0, alone = 0;
  double farthest = 0;
  for (int trial = 0; trial < trials; ++trial) {
    std::vector<model::family> seen;
    for (int process = 0; process < processes; ++process) {
      seen.push_back(comparison_of_copies(
          draw, 9000u + static_cast<std::uint64_t>(processes * trial + process), surroundings));
      if (seen.back().comparisons.empty())
        return {.name = std::move(name), .skipped = "a session gave no comparison: " + seen.back().skipped};
      const auto& c = seen.back().comparisons.front();
      if (!c.ci.contains(1)) ++alone;
      farthest = std::max(farthest, std::abs(c.ratio - 1));
    }
    const auto merged = harness::merge_forks(seen, 0.01, processes);
    if (!merged.comparisons.front().ci.contains(1)) ++excluded;
  }
  return {.name = std::move(name),
          .value = static_cast<double>(excluded),
          .unit = fmt::format("of {}", trials),
          .limit = false_alarm_limit(trials),
          .detail = fmt::format("trials of copies of one body told apart, over {} layouts of the code each; "
                                "{} of {} by one layout alone, which moves the ratio by up to {:.1f} %",
                                processes, alone, trials * processes, 100 * farthest)};
}

}  // namespace ridge::selftest
