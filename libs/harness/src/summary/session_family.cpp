// SPDX-License-Identifier: Apache-2.0
#include <ridge/harness/session_family.hpp>

#include <algorithm>

#include <ridge/stats/order_interval.hpp>
#include <ridge/stats/quantile.hpp>

namespace ridge::harness {
namespace {

constexpr double time_alpha = 0.05;

model::estimate median_of_arm(const std::vector<double>& values, const model::metric& metric) {
  auto sorted = values;
  std::ranges::sort(sorted);
  const auto rank = stats::sign_rank(sorted.size(), time_alpha);
  const interval whole{sorted.front(), sorted.back()};
  return {.metric = metric,
          .median = stats::median(sorted),
          .ci = rank == 0 ? whole : stats::order_interval(sorted, rank)};
}

model::measurement measurement_of_arm(const arm_record& arm, const session_record& session,
                                      const std::vector<model::metric>& metrics) {
  model::measurement made;
  made.iterations = arm.iterations;
  for (std::size_t m = 0; m < metrics.size(); ++m) {
    made.metrics.push_back(median_of_arm(arm.values[m], metrics[m]));
    model::series series{
        .metric = metrics[m], .value = arm.values[m], .block = arm.round, .position = arm.position};
    for (const auto round : arm.round) series.marked.push_back(session.marked[round]);
    made.samples.push_back(std::move(series));
    if (metrics[m].name == "peak_memory") made.memory.peak_bytes = made.metrics.back().median;
  }
  return made;
}

model::comparison comparison_of_arms(const pairing_result& pair, const session_record& session,
                                     const std::vector<arm_name>& arms,
                                     const std::vector<model::metric>& metrics) {
  const auto& e = pair.estimate;
  return {.reference = arms[pair.pairing.reference].name,
          .candidate = arms[pair.pairing.candidate].name,
          .metric = metrics[pair.metric],
          .ratio = e.ratio,
          .ci = e.ci,
          .level = pair.level,
          .verdict = pair.verdict,
          .headline = pair.pairing.judged,
          .judged = pair.pairing.judged,
          .pairs = e.pairs,
          .aa = session.repeatability.ci,
          .hodges_lehmann = pair.hodges_lehmann,
          .autocorrelation = e.autocorrelation,
          .block_length = e.block_length,
          .looks = session.looks,
          .alpha_spent = e.alpha_spent,
          .ratio_unmarked = pair.ratio_unmarked};
}

}  // namespace

std::vector<pairing> against_first(std::size_t arms) {
  std::vector<pairing> pairs;
  for (std::size_t arm = 1; arm < arms; ++arm) pairs.push_back({.reference = 0, .candidate = arm});
  return pairs;
}

model::family family_of(const session_record& session, const std::vector<arm_name>& arms,
                        const std::vector<model::metric>& metrics) {
  model::family made;
  for (std::size_t arm = 0; arm < arms.size(); ++arm) {
    auto one = measurement_of_arm(session.arms[arm], session, metrics);
    one.variant = arms[arm].name;
    one.idea = arms[arm].idea;
    one.role = arm == 0 ? model::role::baseline : model::role::optimized;
    made.measurements.push_back(std::move(one));
  }
  for (const auto& pair : session.results)
    made.comparisons.push_back(comparison_of_arms(pair, session, arms, metrics));
  made.rounds = session.rounds;
  made.wall_s = session.wall_s;
  made.duty = session.wall_s > 0 ? session.timed_s / session.wall_s : 0;
  return made;
}

}  // namespace ridge::harness
