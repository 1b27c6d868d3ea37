// SPDX-License-Identifier: Apache-2.0
#include "gate/gate_rerun.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <ridge/app/interrupt.hpp>
#include <ridge/base/error.hpp>
#include <ridge/harness/session.hpp>

#include "builds/build_arms.hpp"
#include "builds/build_contest.hpp"
#include "stored/changes_text.hpp"

namespace ridge::app {
namespace {

// Returns why a suspect cannot be measured by this program; empty when it can.
std::string why_not_here(const context& program, const gate_finding& suspect,
                         const model::environment& measured, const model::environment& here) {
  if (suspect.workload.machine != here.machine) return "it was measured on " + suspect.workload.machine;
  if (measured.build != here.build)
    return fmt::format("it was measured by {}, and this is {}", measured.build, here.build);
  const auto ids = program.experiments.ids();
  if (std::ranges::find(ids, suspect.workload.experiment) == ids.end())
    return "this program has no experiment " + suspect.workload.experiment;
  return {};
}

// Returns the build to measure against, as program_of takes it; an error where none is known.
result<std::string> build_before(store::store& results, const gate_finding& suspect, const rerun_plan& plan) {
  if (!plan.against.empty()) return plan.against;
  const auto before = results.environment(suspect.environment_before);
  const auto commit = before ? commit_of_build(before->build) : built_commit{};
  if (commit.id.empty() || commit.changed)
    return error{"the run before it names no commit that can be built", "give --against FILE|COMMIT"};
  return commit.id;
}

// Takes the time of its scope from what is left, however the scope ends.
class spent_time {
 public:
  explicit spent_time(double& left_s) : left_s_(left_s) {}
  ~spent_time() { left_s_ -= harness::monotonic_seconds() - start_s_; }
  spent_time(const spent_time&) = delete;
  spent_time& operator=(const spent_time&) = delete;

 private:
  double& left_s_;
  double start_s_ = harness::monotonic_seconds();
};

// Measures suspects one after another until the budget is spent.
class rerun {
 public:
  rerun(const context& program, store::store& results, const model::environment& here, const rerun_plan& plan)
      : program_(program), results_(results), here_(here), plan_(plan), left_s_(plan.budget_s) {}

  void measure(gate_finding& suspect, std::size_t left) {
    try {
      suspect.why = measured(suspect, left);
    } catch (const unavailable& why) {
      suspect.why = why.why().message;
    }
  }
  std::vector<model::family> families{};

 private:
  // Returns why nothing was measured; empty when it was.
  std::string measured(gate_finding& suspect, std::size_t left) {
    const auto seen = results_.environment(suspect.environment);
    if (!seen) return seen.why().message;
    if (auto why = why_not_here(program_, suspect, *seen, here_); !why.empty()) return why;
    const auto before = build_before(results_, suspect, plan_);
    if (!before) return before.why().message;
    progress_line line(program_.err);
    const auto& id = suspect.workload.experiment;
    const auto other = program_of(*before, id.substr(0, id.find('.')), line);
    if (!other) return other.why().message;
    return measured_by_both(suspect, *before, *other, left_s_ / static_cast<double>(left));
  }

  std::string measured_by_both(gate_finding& suspect, const std::string& other_name, const std::string& other,
                               double budget_s) {
    if (left_s_ <= 0) return "the budget of all measurements was spent";
    build_contest contest{
        .experiment = suspect.workload.experiment,
        .variant = suspect.series.variant,
        .other = other,
        .other_name = other_name,
        .label = suspect.series.variant + ' ',
        .protocol = {.budget_s = budget_s, .min_effect = plan_.min_effect, .seed = plan_.seed},
        .most_s = left_s_};
    for (const auto& axis : suspect.workload.axes) contest.axes.push_back(model::text({axis}));
    const spent_time spent(left_s_);
    auto family = measure_by_both(program_, contest);
    family.problem = suspect.workload.axes;
    const auto judged = std::ranges::find_if(family.comparisons, [](const auto& c) { return c.judged; });
    std::string why;
    if (judged == family.comparisons.end()) {
      why = "the measurement has no verdict";
    } else if (judged->metric.name != suspect.series.metric.name) {
      why = fmt::format("both builds are compared by {} alone", judged->metric.name);
    } else {
      judge_again(suspect, *judged);
    }
    families.push_back(std::move(family));
    return why;
  }

  const context& program_;
  store::store& results_;
  const model::environment& here_;
  const rerun_plan& plan_;
  double left_s_;
};

}  // namespace

void judge_again(gate_finding& suspect, const model::comparison& seen) {
  using enum model::verdict;
  suspect.again = seen;
  const auto same_direction = suspect.direction == changes::direction::worse ? worse : better;
  if (seen.verdict == same_direction) {
    suspect.outcome = gate_outcome::confirmed;
  } else if (seen.verdict == worse || seen.verdict == better || seen.verdict == equivalent ||
             seen.verdict == different_but_small) {
    suspect.outcome = gate_outcome::cleared;
  } else {
    suspect.outcome = gate_outcome::inconclusive;
  }
}

std::vector<model::family> measure_again(const context& program, store::store& results,
                                         const model::environment& here, const rerun_plan& plan,
                                         std::vector<gate_finding>& findings) {
  std::vector<gate_finding*> suspects;
  for (auto& one : findings) {
    const bool counts = plan.improvements || one.direction == changes::direction::worse;
    if (one.outcome == gate_outcome::suspected && counts) suspects.push_back(&one);
  }
  const auto step = [](const gate_finding* one) { return std::abs(std::log(one->ratio)); };
  std::ranges::stable_sort(suspects, [&](const auto* a, const auto* b) { return step(a) > step(b); });
  rerun again(program, results, here, plan);
  for (std::size_t i = 0; i < suspects.size() && !interrupted(); ++i)
    again.measure(*suspects[i], suspects.size() - i);
  return std::move(again.families);
}

}  // namespace ridge::app
