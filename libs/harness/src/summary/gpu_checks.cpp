// SPDX-License-Identifier: Apache-2.0
#include "summary/gpu_checks.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <ridge/base/units.hpp>
#include <ridge/harness/verdict.hpp>
#include <ridge/stats/quantile.hpp>

namespace ridge::harness {
namespace {

using model::check;
using model::outcome;

constexpr int tries = 5;
// How far the GPU's timer may stand from its events (decision 0023).
constexpr double agree_within_s = 2e-6, agree_within_share = 0.01;
constexpr double wall_slack = 1.001;

check events_check(const event_clock& seen) {
  return {.id = "events",
          .result = outcome::pass,
          .value = seen.empty_pair_s,
          .unit = "s",
          .evidence = fmt::format("an empty pair; {} around a kernel, taken off every sample; tick {}",
                                  format_quantity(seen.launch_s, "s"),
                                  seen.tick_s > 0 ? format_quantity(seen.tick_s, "s") : "not found")};
}

// The smallest difference of a few tries, since a delay of either clock is no disagreement.
struct disagreement_of_clocks {
  double seconds = 0;
  double limit_s = agree_within_s;
  bool seen = false;
};
disagreement_of_clocks clocks_of(family_arms& arms, std::size_t arm) {
  disagreement_of_clocks least;
  for (int i = 0; i < tries; ++i) {
    const auto both = arms.sampling().by_two_clocks(arm);
    if (!both) break;
    const double off = std::fabs(both->timer_s - both->events_s);
    if (least.seen && off >= least.seconds) continue;
    least = {off, std::max(agree_within_s, agree_within_share * both->events_s), true};
  }
  return least;
}

check clocks_agree_check(family_arms& arms) {
  disagreement_of_clocks worst;
  arms.begin_round(0);
  for (std::size_t arm = 0; arm < arms.arms(); ++arm) {
    const auto now = clocks_of(arms, arm);
    if (now.seen && (!worst.seen || now.seconds / now.limit_s > worst.seconds / worst.limit_s)) worst = now;
  }
  (void)arms.end_round(0);
  check c{.id = "clocks_agree"};
  if (!worst.seen) {
    c.evidence = "every variant waits for the GPU itself";
    return c;
  }
  const double of_wall = arms.sampling().blocks().most_of_wall;
  const bool agree = worst.seconds <= worst.limit_s && of_wall <= wall_slack;
  c.result = agree ? outcome::pass : outcome::warn;
  c.value = worst.seconds;
  c.limit = worst.limit_s;
  c.unit = "s";
  c.evidence = "events against the GPU's timer";
  if (of_wall > 0)
    c.evidence += fmt::format("; events add up to {:.0f} % of the host's clock at most", of_wall * 100);
  return c;
}

check upkeep_check(const block_notes& seen) {
  check c{.id = "upkeep", .unit = "s"};
  if (seen.host_s.empty()) {
    c.evidence = "samples were waited for one by one";
    return c;
  }
  c.result = outcome::pass;
  c.value = stats::median(seen.host_s);
  c.evidence = fmt::format(
      "the host's time for a sample, its calls left out; up to {} samples without a wait", seen.most_samples);
  return c;
}

}  // namespace

std::vector<check> gpu_checks(family_arms& arms) {
  const auto& events = arms.sampling().facts().events;
  if (events.empty_pair_s <= 0) return {};
  const auto upkeep = upkeep_check(arms.sampling().blocks());
  return {events_check(events), clocks_agree_check(arms), upkeep};
}

check cycles_check(const pairing_result& in_time, const family_evidence& e) {
  const auto& metrics = e.arms.metric_list();
  check c{.id = "cycles", .evidence = "no clock was seen beside the samples"};
  const auto in_cycles = std::ranges::find_if(e.session.results, [&](const pairing_result& r) {
    return metrics[r.metric].reading == reading::cycles && r.pairing.reference == in_time.pairing.reference &&
           r.pairing.candidate == in_time.pairing.candidate;
  });
  if (in_cycles == e.session.results.end() || in_cycles->estimate.pairs == 0) return c;
  const double effect = e.options.protocol.min_effect;
  const auto time = judge(in_time.estimate.ci, effect), cycles = judge(in_cycles->estimate.ci, effect);
  const bool confounded = settled(time) && settled(cycles) && time != cycles;
  c.result = confounded ? outcome::warn : outcome::pass;
  c.value = in_cycles->estimate.ratio;
  c.evidence = fmt::format("{:.4g} in time, {:.4g} in cycles{}", in_time.estimate.ratio,
                           in_cycles->estimate.ratio, confounded ? ": the clock makes the difference" : "");
  return c;
}

}  // namespace ridge::harness
