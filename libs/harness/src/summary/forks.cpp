// SPDX-License-Identifier: Apache-2.0
#include <ridge/harness/forks.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <ridge/base/expects.hpp>
#include <ridge/harness/session_checks.hpp>
#include <ridge/harness/verdict.hpp>
#include <ridge/stats/hierarchy.hpp>
#include <ridge/stats/quantile.hpp>

namespace ridge::harness {
namespace {

constexpr double fork_alpha = 0.05;  // of intervals across forks

template <class F>
std::vector<double> over(const std::vector<model::family>& forks, F value) {
  std::vector<double> all;
  for (const auto& fork : forks) all.push_back(value(fork));
  return all;
}

bool void_verdict(model::verdict v) {
  return v == model::verdict::invalid || v == model::verdict::unverified;
}

model::check layout_check(const std::vector<double>& logs, const std::vector<interval>& within,
                          int code_layouts) {
  const bool matters = stats::between_exceeds_within(logs, within);
  const auto layouts = std::min<std::size_t>(logs.size(), static_cast<std::size_t>(code_layouts));
  const auto moved =
      layouts > 1 ? fmt::format("the layout of memory and of the code, which was linked in {} ways,", layouts)
                  : std::string("memory layout");
  return {
      .id = "forks",
      .result = model::outcome::pass,
      .value = static_cast<double>(logs.size()),
      .unit = "processes",
      .evidence =
          moved + (matters ? " moves the ratio more than noise does; the interval is that across processes"
                           : " moves the ratio no more than noise does")};
}

model::comparison merged(const std::vector<model::family>& forks, std::size_t index, double min_effect,
                         int code_layouts) {
  auto made = forks.front().comparisons[index];
  std::vector<interval> within;
  for (const auto& fork : forks) {
    const auto& c = fork.comparisons[index];
    expects(
        c.reference == made.reference && c.candidate == made.candidate && c.metric.name == made.metric.name,
        "merge_forks: the forks compare different arms");
    within.push_back({std::log(c.ci.lo), std::log(c.ci.hi)});
    if (void_verdict(c.verdict)) made.verdict = c.verdict;
    made.assurance = std::min(made.assurance, c.assurance);
    made.pairs += &fork == &forks.front() ? 0 : c.pairs;
  }
  made.fork_ratios = over(forks, [&](const auto& fork) { return fork.comparisons[index].ratio; });
  const auto logs = over(forks, [&](const auto& fork) { return std::log(fork.comparisons[index].ratio); });
  const auto ci = stats::across_forks(logs, 1 - made.level);
  made.ratio = std::exp((ci.lo + ci.hi) / 2);
  made.ci = {std::exp(ci.lo), std::exp(ci.hi)};
  made.aa = {stats::median(over(forks, [&](const auto& fork) { return fork.comparisons[index].aa.lo; })),
             stats::median(over(forks, [&](const auto& fork) { return fork.comparisons[index].aa.hi; }))};
  if (!void_verdict(made.verdict))
    made.verdict = above_noise(judge(made.ci, min_effect), made.ratio, made.aa);
  for (auto& check : made.checks) {
    if (check.id == "noise") check = noise_check(made.ratio, made.ci, made.aa, min_effect);
  }
  if (made.assurance == 2) made.assurance = 3;
  made.checks.push_back(layout_check(logs, within, code_layouts));
  return made;
}

void merge_measurement(model::measurement& merged, const std::vector<model::family>& forks,
                       std::size_t index) {
  for (const auto& fork : forks) {
    const auto& one = fork.measurements[index];
    if (merged.refused.empty()) {
      merged.refused = one.refused;
      merged.failure = one.failure;
      merged.signal = one.signal;
      merged.stage = one.stage;
    }
    if (&fork != &forks.front())
      merged.samples.insert(merged.samples.end(), one.samples.begin(), one.samples.end());
    merged.memory.peak_bytes = std::max(merged.memory.peak_bytes, one.memory.peak_bytes);
  }
  for (std::size_t m = 0; m < merged.metrics.size(); ++m) {
    const auto medians =
        over(forks, [&](const auto& fork) { return fork.measurements[index].metrics[m].median; });
    merged.metrics[m].median = stats::median(medians);
    merged.metrics[m].ci = stats::across_forks(medians, fork_alpha);
  }
}

bool has_failure(const model::family& f) {
  return !f.skipped.empty() ||
         std::ranges::any_of(f.measurements, [](const auto& m) { return !m.refused.empty(); });
}

std::size_t number_of_results(const model::family& f) {
  std::size_t count = f.measurements.size() + f.comparisons.size();
  for (const auto& m : f.measurements) count += m.metrics.size();
  return count;
}

// Of forks that cannot be merged: one with a refusal or without any result, else the one with fewest results.
const model::family& worst_of(const std::vector<model::family>& forks) {
  const auto failed = std::ranges::find_if(forks, has_failure);
  return failed != forks.end() ? *failed : *std::ranges::min_element(forks, {}, number_of_results);
}

bool alike(const model::family& a, const model::family& b) {
  if (a.measurements.size() != b.measurements.size() || a.comparisons.size() != b.comparisons.size())
    return false;
  for (std::size_t i = 0; i < a.measurements.size(); ++i) {
    if (a.measurements[i].metrics.size() != b.measurements[i].metrics.size()) return false;
  }
  return true;
}

}  // namespace

model::family merge_forks(const std::vector<model::family>& forks, double min_effect, int code_layouts) {
  expects(!forks.empty(), "merge_forks: at least one fork");
  auto made = forks.front();
  if (forks.size() == 1) return made;
  // A variant that was wrong in one process is wrong; that process's reason is kept.
  if (!std::ranges::all_of(forks, [&](const auto& fork) { return alike(fork, made); }))
    return worst_of(forks);
  for (std::size_t i = 0; i < made.measurements.size(); ++i)
    merge_measurement(made.measurements[i], forks, i);
  for (std::size_t i = 0; i < made.comparisons.size(); ++i)
    made.comparisons[i] = merged(forks, i, min_effect, code_layouts);
  for (std::size_t i = 1; i < forks.size(); ++i) {
    const auto& more = forks[i].disturbance;
    if (!more || !made.disturbance) continue;
    made.disturbance->disturbed_rounds += more->disturbed_rounds;
    made.disturbance->steal_s += more->steal_s;
    made.disturbance->involuntary_switches += more->involuntary_switches;
    made.disturbance->throttled_periods += more->throttled_periods;
  }
  made.rounds = 0;
  made.wall_s = 0;
  for (const auto& fork : forks) made.rounds += fork.rounds, made.wall_s += fork.wall_s;
  made.forks = static_cast<int>(forks.size());
  return made;
}

}  // namespace ridge::harness
