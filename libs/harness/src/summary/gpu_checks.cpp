// SPDX-License-Identifier: Apache-2.0
#include "summary/gpu_checks.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include <ridge/base/units.hpp>
#include <ridge/harness/verdict.hpp>
#include <ridge/stats/median.hpp>
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

// A call on fresh data may take longer than one among calls in a row, for the caches and the gaps around it;
// so does the reference's.
constexpr std::size_t fewest_fresh_calls = 3;
constexpr double most_longer = 1.75, least_longer_s = 3e-6;

struct extra_time {
  double fresh_s = 0, in_row_s = 0;
  [[nodiscard]] double seconds() const { return fresh_s - in_row_s; }
  [[nodiscard]] double ratio() const { return in_row_s > 0 ? fresh_s / in_row_s : 1; }
};
extra_time extra_of(const fresh_calls& seen) {
  return {stats::median(seen.fresh_s), stats::median(seen.in_row_s)};
}

check fresh_calls_check(const pairing_result& r, const family_evidence& e) {
  check c{.id = "fresh_calls", .evidence = "samples hold one call each"};
  const auto reference = e.arms.sampling().fresh_calls_of(r.pairing.reference),
             candidate = e.arms.sampling().fresh_calls_of(r.pairing.candidate);
  for (const auto* seen : {&reference, &candidate}) {
    if (seen->wrong.empty()) continue;
    c.result = outcome::fail;
    c.evidence = "a call on fresh data is wrong: " + seen->wrong;
    return c;
  }
  if (candidate.fresh_s.size() < fewest_fresh_calls) {
    if (!candidate.fresh_s.empty())
      c.evidence = fmt::format("{} calls are too few", candidate.fresh_s.size());
    return c;
  }
  const auto own = extra_of(candidate);
  const auto other = reference.fresh_s.size() < fewest_fresh_calls ? extra_time{} : extra_of(reference);
  c.value = own.ratio();
  c.limit = most_longer * std::max(other.ratio(), 1.0);
  c.unit = "1";
  const bool longer = own.seconds() - std::max(other.seconds(), 0.0) > least_longer_s;
  c.result = longer && own.ratio() > *c.limit ? outcome::fail : outcome::pass;
  c.evidence = fmt::format("{} on fresh data, {} among calls in a row; the reference {} and {}",
                           format_quantity(own.fresh_s, "s"), format_quantity(own.in_row_s, "s"),
                           format_quantity(other.fresh_s, "s"), format_quantity(other.in_row_s, "s"));
  return c;
}

constexpr std::uint64_t fewest_found = 4;
constexpr double most_share_found = 0.2;  // of the times that somebody looked
// Of the time of a sample: work that runs on for less hides less than half of the smallest effect that
// matters.
constexpr double least_share_of_sample = 0.005;

double share_found(const work_left& seen) {
  return seen.looked == 0 ? 0 : static_cast<double>(seen.found) / static_cast<double>(seen.looked);
}
bool is_found(const work_left& seen, double sample_s) {
  return seen.found >= fewest_found && share_found(seen) > most_share_found &&
         seen.most_s > least_share_of_sample * sample_s;
}

double sample_s_of(const family_evidence& e, std::size_t arm) {
  if (arm >= e.session.arms.size() || e.session.arms[arm].seconds.empty()) return 0;
  return stats::median(e.session.arms[arm].seconds);
}

double shortest_sample_s(const family_evidence& e) {
  double shortest = std::numeric_limits<double>::infinity();
  for (std::size_t arm = 0; arm < e.arms.arms(); ++arm) shortest = std::min(shortest, sample_s_of(e, arm));
  return shortest;
}

// The arm after whose samples, taken alone, work ran on most often; empty where that happened to none.
std::string who_leaves_work(const family_evidence& e) {
  std::string who;
  double most = 0;
  for (std::size_t arm = 0; arm < e.arms.arms(); ++arm) {
    const double share = share_found(e.arms.sampling().work_left_by(arm));
    if (share <= most) continue;
    most = share;
    who = e.definition.variants[e.arms.arm(arm).variant].name;
  }
  return who;
}

check left_running_check(const family_evidence& e) {
  auto worst = e.arms.sampling().work_left_by_blocks();
  bool found = is_found(worst, shortest_sample_s(e));
  for (std::size_t arm = 0; arm < e.arms.arms(); ++arm) {
    const auto alone = e.arms.sampling().work_left_by(arm);
    if (!is_found(alone, sample_s_of(e, arm))) continue;
    if (!found || share_found(alone) > share_found(worst)) worst = alone;
    found = true;
  }
  check c{.id = "left_running",
          .result = outcome::pass,
          .value = worst.most_s,
          .unit = "s",
          .evidence = "the device is idle when samples are over"};
  if (!found) return c;
  const auto who = who_leaves_work(e);
  c.result = outcome::fail;
  c.evidence = fmt::format("{} work running after {} of {} samples or blocks, for up to {}",
                           who.empty() ? "variants leave" : who + " leaves", worst.found, worst.looked,
                           format_quantity(worst.most_s, "s"));
  return c;
}

}  // namespace

std::vector<check> enqueued_checks(const pairing_result& r, const family_evidence& e) {
  if (e.arms.sampling().facts().on_this_thread) return {};
  return {fresh_calls_check(r, e), left_running_check(e)};
}

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
