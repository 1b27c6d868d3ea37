// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <memory>

#include <fmt/format.h>

#include <ridge/base/units.hpp>
#include <ridge/harness/experiment.hpp>
#include <ridge/harness/runner.hpp>
#include <ridge/stats/quantile.hpp>

#include "rows.hpp"

namespace ridge::selftest {
namespace {

constexpr std::size_t lookups = 4096;

struct lookup_workload {
  input<std::uint32_t> keys{};
  output<std::uint32_t> found{};
  std::size_t entries = 0;  // of each arm's table
};

std::uint32_t entry(std::size_t index) { return static_cast<std::uint32_t>(index) * 2654435761u; }

// Looks all keys up in a table whose size is a power of two.
[[gnu::noinline]] void look_up(lookup_workload& w, std::span<const std::uint32_t> table) {
  const std::size_t mask = table.size() - 1;
  for (std::size_t i = 0; i < w.keys.size(); ++i) w.found[i] = table[w.keys[i] & mask];
}

auto with_a_table(lookup_workload& w, setup& s) {
  const auto table = s.workspace<std::uint32_t>(w.entries);
  for (std::size_t i = 0; i < table.size(); ++i) table[i] = entry(i);
  return [table](lookup_workload& called, call&) { look_up(called, table); };
}

ladder<lookup_workload> two_of_a_kind() {
  return {{.name = "first", .is = role::baseline, .run = with_a_table},
          {.name = "second", .run = with_a_table}};
}

experiment tables_of(std::size_t bytes) {
  return experiment_of<lookup_workload>{
      .id = "selftest.private_tables",
      .title = "Identical arms with a table each",
      .question = "Does the harness tell identical arms apart whose private data lie apart?",
      .make =
          [bytes](const problem&, memory& m) {
            return lookup_workload{m.in<std::uint32_t>(lookups, random_bits{}), m.out<std::uint32_t>(lookups),
                                   bytes / sizeof(std::uint32_t)};
          },
      .oracle =
          [](lookup_workload& w) {
            for (std::size_t i = 0; i < w.keys.size(); ++i) w.found[i] = entry(w.keys[i] & (w.entries - 1));
          },
      .cpu = two_of_a_kind,
  };
}

}  // namespace

row private_tables(std::string name, std::size_t bytes, const surroundings& surroundings) {
  if (surroundings.host == nullptr) return {.name = std::move(name), .skipped = "no device"};
  const int trials = std::max(20, static_cast<int>(400 * surroundings.scale));
  const auto subject = tables_of(bytes);
  int excluded = 0, wrong_verdicts = 0;
  std::vector<double> distance;
  for (int trial = 0; trial < trials; ++trial) {
    harness::run_options options;
    options.profile.budget_per_arm_s = 0.025;
    options.memory_pass = options.lone_pass = false;
    options.protocol.seed = 5000u + static_cast<std::uint64_t>(trial);
    harness::instruments equipment;
    equipment.device = surroundings.host;
    const auto family = harness::measure_family({subject, subject.problems().front(), model::backend::cpu},
                                                equipment, options);
    if (family.comparisons.empty())
      return {.name = std::move(name), .skipped = "a session gave no comparison: " + family.skipped};
    const auto& c = family.comparisons.front();
    if (!c.ci.contains(1)) ++excluded;
    if (c.verdict == model::verdict::better || c.verdict == model::verdict::worse) ++wrong_verdicts;
    distance.push_back(std::abs(c.ratio - 1));
  }
  std::ranges::sort(distance);
  return {.name = std::move(name),
          .value = static_cast<double>(excluded),
          .unit = fmt::format("of {}", trials),
          .limit = false_alarm_limit(trials),
          .detail = fmt::format(
              "trials of identical arms with a table of {} each told apart; {} BETTER or WORSE; p95 "
              "distance from 1: {:.2f} %",
              format_quantity(static_cast<double>(bytes), "B"), wrong_verdicts,
              100 * stats::sorted_quantile(distance, 0.95))};
}

}  // namespace ridge::selftest
