// SPDX-License-Identifier: Apache-2.0
#include <ridge/selftest/stage_costs.hpp>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include <ridge/harness/experiment.hpp>
#include <ridge/harness/runner.hpp>

namespace ridge::selftest {
namespace {

constexpr std::int64_t elements = std::int64_t{1} << 18;

struct line_workload {
  input<float> source{};
  output<float> target{};
};

void double_and_add(line_workload& w) {
  std::ranges::transform(w.source, w.target.begin(), [](float x) { return 2 * x + 1; });
}

ladder<line_workload> two_lines() {
  const auto body = [](line_workload& w, call&) { double_and_add(w); };
  return {{.name = "first", .is = role::baseline, .run = body}, {.name = "second", .run = body}};
}

experiment lines() {
  return experiment_of<line_workload>{
      .id = "selftest.stage_costs",
      .title = "A family like any other",
      .question = "What do the checks of a family cost?",
      .make =
          [](const problem&, memory& m) {
            return line_workload{m.in<float>(elements, normal{}), m.out<float>(elements)};
          },
      .oracle = double_and_add,
      .cpu = two_lines,
  };
}

struct known_stage {
  std::string_view name;
  bool checks;
  std::string_view description;
};

constexpr std::array known_stages{
    known_stage{"verification", true,
                "every variant in a child, on guarded arrays, against the oracle on two data sets"},
    known_stage{"set_up", false, "binding the variants to every member and drawing the data"},
    known_stage{"side_effects", true,
                "one more call in a child: threads, descriptors, modes, memory, allocations"},
    known_stage{"alone", true, "every variant timed in a process of its own, on new data"},
    known_stage{"warm_up", false, "calibration, and turns until every arm is steady"},
    known_stage{"timed", false, "the samples themselves"},
    known_stage{"between_samples", true,
                "new data, poison, fingerprints, and what disturbed a round; the looks at the verdict too"},
    known_stage{"fresh_rounds", true,
                "rounds whose data are all new or nearly the same, and calls with data of their own"},
    known_stage{"recheck", true, "rounds drawn beforehand and calls in a row against the oracle"},
    known_stage{"events", false, "hardware counters and energy"},
    known_stage{"clocks", true, "a GPU's events against its timer"},
    known_stage{"modes", false, "further modes on a GPU"},
};

// Adds seconds to the stage of that name.
void add(std::vector<stage_cost>& stages, std::string_view name, double seconds) {
  const auto seen = std::ranges::find(stages, name, &stage_cost::name);
  if (seen != stages.end()) {
    seen->seconds += seconds;
    return;
  }
  const auto known = std::ranges::find(known_stages, name, &known_stage::name);
  const bool found = known != known_stages.end();
  stages.push_back({.name = std::string(name),
                    .seconds = seconds,
                    .checks = found && known->checks,
                    .description = std::string(found ? known->description : "")});
}

bool of_rounds(const stage_cost& one) { return one.name == "timed" || one.name == "between_samples"; }

}  // namespace

double family_costs::seconds() const {
  double all = 0;
  for (const auto& one : stages) all += one.seconds;
  return all;
}

double family_costs::check_seconds() const {
  double all = 0;
  for (const auto& one : stages) all += one.checks ? one.seconds : 0;
  return all;
}

double family_costs::seconds_at_full_budget() const {
  double rest = 0;
  for (const auto& one : stages) rest += of_rounds(one) ? 0 : one.seconds;
  return rest + budget_s;
}

double family_costs::check_seconds_at_full_budget() const {
  double checks = 0, rounds = 0, between = 0;
  for (const auto& one : stages) {
    if (of_rounds(one)) {
      rounds += one.seconds;
      between += one.checks ? one.seconds : 0;
    } else {
      checks += one.checks ? one.seconds : 0;
    }
  }
  return checks + (rounds > 0 ? between / rounds * budget_s : 0);
}

harness::planned_family family_of_two_lines() {
  const auto subject = lines();
  return {subject, subject.problems().front(), model::backend::cpu};
}

result<family_costs> cost_of_checks(const harness::instruments& equipment,
                                    std::span<const harness::planned_family> families) {
  family_costs all;
  std::string skipped;
  const harness::run_options options;
  for (const auto& family : families) {
    auto own = equipment;
    std::vector<std::pair<std::string, double>> stages;
    own.stage_over = [&](std::string_view name, double seconds) { stages.emplace_back(name, seconds); };
    const auto seen = harness::measure_family(family, own, options);
    if (seen.comparisons.empty()) {
      if (skipped.empty()) skipped = fmt::format("{}: {}", family.experiment->id, seen.skipped);
      continue;
    }
    for (const auto& [name, seconds] : stages) add(all.stages, name, seconds);
    all.budget_s += options.profile.budget_per_arm_s * static_cast<double>(seen.measurements.size());
    ++all.families;
  }
  if (all.families == 0) return error{"no family gave a comparison: " + skipped, "see `ridge doctor`"};
  return all;
}

}  // namespace ridge::selftest
