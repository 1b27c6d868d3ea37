// SPDX-License-Identifier: Apache-2.0
#include <ridge/harness/run_all.hpp>

#include <algorithm>
#include <exception>
#include <map>
#include <string>
#include <utility>

#include <fmt/format.h>

#include <ridge/harness/measure_family.hpp>
#include <ridge/harness/scaling_check.hpp>
#include <ridge/harness/session.hpp>

#include "audit/gpu_audits.hpp"
#include "child/in_child.hpp"
#include "plan/family_frame.hpp"
#include "run/edge_trials.hpp"
#include "run/gpu_process.hpp"

namespace ridge::harness {
namespace {

constexpr double untimed_share = 0.35;  // share of verification, passes and rechecks in a family's wall time
constexpr double least_family_s = 0.1;  // less is of no use to a family
constexpr double most_shares = 2;       // a family may take as many times its part of what is left
constexpr double edges_share = 0.5;     // of a family's part
constexpr double least_edges_s = 0.25;  // less does not suffice for the edge sizes of any experiment
constexpr double useful_s = 1;  // so much of the time goes to a first problem before others get a part

// The options with the next family's budget, which is its part of the rest of the suite's budget.
run_options shared_out(run_options options, double share_s, std::size_t arms) {
  if (options.suite_budget_s <= 0) return options;
  const double each = std::max(0.05, share_s * (1 - untimed_share));
  options.profile.budget_per_arm_s =
      std::min(options.profile.budget_per_arm_s, each / static_cast<double>(std::max<std::size_t>(arms, 1)));
  return options;
}

std::size_t arms_of(const planned_family& f) {
  return static_cast<std::size_t>(
      std::ranges::count(f.experiment->variants, f.backend, &variant_facts::backend));
}

// A failure is recorded with its family; the families after it are measured all the same.
model::family measure_or_record(const planned_family& family, const instruments& equipment,
                                const run_options& options, const session_watch& watch, model::peak& peak) {
  if (family.backend == model::backend::cuda) {
    const auto measure = [&](const planned_family& f, const instruments& own, const run_options& chosen) {
      return measure_family(f, own, chosen, watch);
    };
    auto own = equipment;
    if (equipment.peak) own.peak = &peak;
    return on_gpu({&family, 1}, own, measure, options, &peak).front();
  }
  try {
    return measure_family_in_child(family, equipment, options, watch);
  } catch (const std::exception& thrown) {
    return family_without_results(family, thrown);
  }
}

// The first problem of every experiment comes first, then the second of each, and so on: where the time does
// not suffice for all of them, each experiment gets something.
std::vector<planned_family> every_experiment_first(const std::vector<planned_family>& planned) {
  std::map<std::string, std::size_t> seen;
  std::vector<std::pair<std::size_t, const planned_family*>> order;
  for (const auto& f : planned) order.emplace_back(seen[experiment_key(f)]++, &f);
  std::ranges::stable_sort(order, {}, [](const auto& each) { return each.first; });
  std::vector<planned_family> families;
  for (const auto& each : order) families.push_back(*each.second);
  return families;
}

// One call of run_all.
class suite {
 public:
  suite(model::run header, const std::vector<planned_family>& planned, const instruments& equipment,
        const run_options& options, listener& observer)
      : header_(std::move(header)),
        families_(options.suite_budget_s > 0 ? every_experiment_first(planned) : planned),
        equipment_(equipment),
        options_(with_deadline(options)),
        observer_(observer),
        audits_(families_, equipment_, options_),
        edges_(equipment_, options_) {}

  model::run run() {
    header_.profile = options_.profile.name;
    header_.seed = options_.protocol.seed;
    header_.min_effect = options_.protocol.min_effect;
    header_.level = 1 - options_.protocol.alpha;
    if (equipment_.peak) header_.peak = *equipment_.peak;
    observer_.run_started(header_);
    std::size_t i = 0;
    while (i < families_.size() && goes_on() && one_family(i)) ++i;
    for (; i < families_.size(); ++i) leave_out(i, why_it_ended());
    header_.wall_s = monotonic_seconds() - start_;
    observer_.run_finished(header_);
    return std::move(header_);
  }

 private:
  run_options with_deadline(run_options options) const {
    if (options.suite_budget_s > 0)
      options.deadline_s = std::min(options.deadline_s, start_ + options.suite_budget_s);
    options.stop_requested = [this] { return observer_.wants_stop(); };
    return options;
  }
  [[nodiscard]] double left_s() const { return options_.deadline_s - monotonic_seconds(); }
  [[nodiscard]] bool goes_on() const { return !observer_.wants_stop() && left_s() > least_family_s; }

  void leave_out(std::size_t i, std::string reason) {
    header_.left_out.push_back(without_results(families_[i], std::move(reason)));
  }
  [[nodiscard]] std::string why_it_ended() const {
    return harness::why_it_ended(options_, observer_.wants_stop());
  }

  bool tell(std::size_t i, std::string_view stage, double fraction) {
    const double gone = monotonic_seconds() - start_;
    const double done = static_cast<double>(i) + fraction;
    const double remaining = done > 0.1 ? gone / done * (static_cast<double>(families_.size()) - done) : 0;
    const auto problem = model::text(families_[i].problem.point());
    observer_.advanced(
        {families_[i].experiment->id, problem, stage, fraction, i, families_.size(), remaining});
    return !observer_.wants_stop();
  }

  // The family's part of what is left: that of all families, or, where that is of little use, of those that
  // come before the next problem of any experiment.
  [[nodiscard]] double share_of(std::size_t i) const {
    const auto before_next = std::ranges::find_if(families_.begin() + static_cast<std::ptrdiff_t>(i) + 1,
                                                  families_.end(), [&](const planned_family& f) {
                                                    return f.backend == families_[i].backend &&
                                                           f.experiment->id == families_[i].experiment->id;
                                                  });
    const double left = left_s(), all = static_cast<double>(families_.size() - i);
    const auto first = static_cast<double>(before_next - families_.begin() - static_cast<std::ptrdiff_t>(i));
    return std::max(left / all, std::min(left / first, useful_s));
  }

  [[nodiscard]] bool is_first_problem(std::size_t i) const {
    return std::none_of(
        families_.begin(), families_.begin() + static_cast<std::ptrdiff_t>(i), [&](const planned_family& f) {
          return f.backend == families_[i].backend && f.experiment->id == families_[i].experiment->id;
        });
  }

  // How long the family may take. What verifies a first problem takes as long as it takes: it may have its
  // part of all that is left for first problems, so that each experiment gets something.
  [[nodiscard]] double most_s(std::size_t i, double share_s) const {
    if (!is_first_problem(i)) return most_shares * share_s;
    std::size_t firsts = 1;
    while (i + firsts < families_.size() && is_first_problem(i + firsts)) ++firsts;
    return std::max(share_s, left_s() / static_cast<double>(firsts));
  }

  // Edge sizes get a part of the family's part. Both are unlimited without a budget.
  run_options options_for(std::size_t i) {
    const double share_s = share_of(i), now = monotonic_seconds();
    auto own = shared_out(options_, share_s, arms_of(families_[i]));
    own.deadline_s = std::min(options_.deadline_s, now + most_s(i, share_s));
    const double for_edges_s = edges_share * share_s < least_edges_s ? 0 : edges_share * share_s;
    edges_.try_before(families_[i], std::min(own.deadline_s, now + for_edges_s), own.refused);
    return own;
  }

  // Measures a family. False where the run is to end without its results.
  bool one_family(std::size_t i) {
    tell(i, "verify", 0);
    const auto own = options_for(i);
    if (observer_.wants_stop()) return false;
    auto measured = measure_or_record(
        families_[i], equipment_, own,
        [&](const session_progress& p) { return tell(i, "measure", p.fraction); }, header_.peak);
    if (measured.comparisons.empty() && observer_.wants_stop()) return false;
    if (measured.measurements.empty() && monotonic_seconds() >= own.deadline_s) {
      leave_out(i, own.deadline_s < options_.deadline_s ? "it took more than twice its part of the budget"
                                                        : why_it_ended());
      return true;
    }
    edges_.add_to(measured, families_[i]);
    audits_.add_to(i, measured, observer_.wants_stop());
    add_scaling_checks(measured, header_.families, families_[i].experiment);
    header_.wall_s = monotonic_seconds() - start_;
    observer_.family_finished(header_, measured);
    header_.families.push_back(std::move(measured));
    return true;
  }

  const double start_ = monotonic_seconds();
  model::run header_;
  const std::vector<planned_family> families_;
  const instruments& equipment_;
  const run_options options_;
  listener& observer_;
  gpu_audits audits_;
  edge_trials edges_;
};

}  // namespace

model::left_out without_results(const planned_family& family, std::string reason) {
  return {.experiment = family.experiment->id,
          .backend = family.backend,
          .problem = family.problem.point(),
          .reason = std::move(reason)};
}

std::string why_it_ended(const run_options& options, bool interrupted) {
  if (interrupted) return "the run was interrupted";
  if (options.suite_budget_s > 0)
    return fmt::format("the budget of {:.3g} s was used up", options.suite_budget_s);
  return "the time until the run's deadline was used up";
}

model::run run_all(model::run header, const std::vector<planned_family>& families,
                   const instruments& equipment, const run_options& options, listener& observer) {
  return suite(std::move(header), families, equipment, options, observer).run();
}

}  // namespace ridge::harness
