// SPDX-License-Identifier: Apache-2.0
#include "summary/sampling_checks.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include <fmt/format.h>

#include <ridge/stats/median.hpp>

#include "summary/lost_gain.hpp"
#include "verify/lone_pace.hpp"

namespace ridge::harness {
namespace {

using model::check;
using model::outcome;

constexpr double clocks_agree_within = 0.02;
constexpr double clocks_apart_at_least_s =
    500e-9;  // reading a clock takes some tens of nanoseconds, in caches
const loss_limits limits_of_fresh_data{.least_loss = std::log(1.10), .share_left = 0.6};
const loss_limits limits_of_processes{
    .least_loss = std::log(1.10), .most_by_noise_of_few = 1e-3, .share_left = 0.35};
const loss_limits limits_of_repeats{.least_loss = std::log(1.25)};
const loss_limits limits_of_mean{.least_loss = std::log(1.03), .most_by_noise = 1e-5, .share_left = 0.75};
constexpr double least_lost_once_s = 20e-9;

const std::string& name_of(std::size_t arm, const family_evidence& e) {
  return e.definition.variants[e.arms.arm(arm).variant].name;
}

check clock_check(const pairing_result& r, const family_evidence& e) {
  check made{.id = "clock", .limit = clocks_agree_within, .unit = "1"};
  for (const auto arm : {r.pairing.reference, r.pairing.candidate}) {
    const auto seen = e.arms.sampling().clocks_of(arm);
    if (!seen) {
      made.evidence = "calls are enqueued: clocks_agree compares the clocks of the device";
      return made;
    }
    const double apart = std::fabs(seen->ratio - 1);
    if (apart < made.value.value_or(0)) continue;
    made.value = apart;
    const bool differs = apart > clocks_agree_within && std::fabs(seen->apart_s) > clocks_apart_at_least_s;
    made.result = differs ? outcome::fail : outcome::pass;
    made.evidence =
        fmt::format("a sample of {} takes {:.3g} us by the clock that times, {:.3g} us by a second one",
                    name_of(arm, e), seen->sample_s * 1e6, (seen->sample_s + seen->apart_s) * 1e6);
    if (differs) return made;
  }
  return made;
}

// Whether the pairing is about time, in which a gain can be lost again.
bool is_of_time(const pairing_result& r, const family_evidence& e) {
  switch (e.arms.metric_list()[r.metric].reading) {
    case reading::time:
    case reading::cycles:
    case reading::items_per_second:
    case reading::flop_per_second:
    case reading::bytes_per_second:
      return true;
    default:
      return false;
  }
}

check made_of(std::string id, const pairing_result& r, const lost_gain& lost, const loss_limits& limits,
              const std::string& condition) {
  const double claimed = std::log(std::max(r.estimate.ratio, 1.0));
  check made{.id = std::move(id),
             .result = outcome::pass,
             .value = r.estimate.ratio * std::exp(-lost.loss),
             .limit = std::exp(limits.share_left * claimed)};
  if (r.estimate.ci.lo > 1 && is_lost(claimed, lost, limits)) made.result = outcome::fail;
  made.evidence =
      fmt::format("{:.3g} times as fast, {:.3g} times {}", r.estimate.ratio, *made.value, condition);
  return made;
}

std::vector<double> log_ratios_of(const std::vector<double>& reference_s,
                                  const std::vector<double>& candidate_s) {
  std::vector<double> logs;
  for (std::size_t i = 0; i < std::min(reference_s.size(), candidate_s.size()); ++i)
    logs.push_back(std::log(reference_s[i] / candidate_s[i]));
  return logs;
}

check fresh_data_check(const pairing_result& r, const family_evidence& e) {
  if (!e.fresh.skipped.empty()) return {.id = "fresh_data", .evidence = e.fresh.skipped};
  const auto &reference = e.fresh.arms[r.pairing.reference], &candidate = e.fresh.arms[r.pairing.candidate];
  const auto lost = lost_in_pairs(log_ratios_of(reference.again, candidate.again),
                                  log_ratios_of(reference.anew, candidate.anew));
  return made_of("fresh_data", r, lost, limits_of_fresh_data, "where all data are new");
}

bool has_team(const pairing_result& r, const family_evidence& e) {
  return e.arms.arm(r.pairing.reference).threads != 1 || e.arms.arm(r.pairing.candidate).threads != 1;
}

check alone_check(const pairing_result& r, const family_evidence& e) {
  if (!e.alone.skipped.empty()) return {.id = "alone", .evidence = e.alone.skipped};
  if (e.alone.others_ran && has_team(r, e))
    return {.id = "alone",
            .evidence = "other programs used the processors while variants of several threads ran alone"};
  const auto& reference_s = e.alone.seconds[e.measurement_of[r.pairing.reference]];
  const auto& candidate_s = e.alone.seconds[e.measurement_of[r.pairing.candidate]];
  const auto left = log_ratios_of(reference_s, candidate_s);
  if (left.empty()) return {.id = "alone", .evidence = "there was no time for it"};
  if (has_team(r, e) && left.size() < lone_pace::least_rounds_of_teams)
    return {.id = "alone",
            .evidence = fmt::format("there was time for {} rounds, and variants of several threads need {}",
                                    left.size(), lone_pace::least_rounds_of_teams)};
  const std::vector claimed(left.size(), std::log(std::max(r.estimate.ratio, 1.0)));
  auto made = made_of("alone", r, lost_in_pairs(claimed, left), limits_of_processes,
                      "where each variant has a process of its own");
  made.evidence +=
      fmt::format(" ({:.3g} us against {:.3g} us a call, {} rounds)", stats::median(candidate_s) * 1e6,
                  stats::median(reference_s) * 1e6, left.size());
  return made;
}

// Seconds of a call in samples of many calls, by pair of rounds.
std::vector<double> looped_s(const fresh_times& arm) {
  std::vector<double> all;
  for (std::size_t i = 0; i < std::min(arm.anew.size(), arm.again.size()); ++i)
    all.push_back((arm.anew[i] + arm.again[i]) / 2);
  return all;
}

// What a call takes more alone than among others.
double alone_s(const fresh_times& arm) {
  std::vector<double> more;
  const auto looped = looped_s(arm);
  for (std::size_t i = 0; i < std::min(looped.size(), arm.once.size()); ++i)
    more.push_back(arm.once[i] - looped[i]);
  return more.empty() ? 0 : std::max(0.0, stats::median(more));
}

check repeats_check(const pairing_result& r, const family_evidence& e) {
  check none{.id = "repeats"};
  if (e.session.arms[r.pairing.candidate].iterations == 1) {
    none.result = outcome::pass;
    none.evidence = "a sample is one call, on data of its own";
    return none;
  }
  if (!e.fresh.skipped.empty()) return none.evidence = e.fresh.skipped, none;
  const auto& candidate = e.fresh.arms[r.pairing.candidate];
  const auto looped = looped_s(candidate);
  const bool loops = e.session.arms[r.pairing.reference].iterations > 1;
  const double allowed_s = loops ? alone_s(e.fresh.arms[r.pairing.reference]) : 0;
  const auto lost =
      lost_in_single_calls({.looped_s = looped, .once_s = candidate.once, .alone_s = allowed_s});
  auto made = made_of("repeats", r, lost, limits_of_repeats, "where each call has data of its own");
  if (alone_s(candidate) - allowed_s < least_lost_once_s) made.result = outcome::pass;
  made.evidence += fmt::format(" ({:.3g} ns a call alone, {:.3g} ns among others)",
                               stats::median(candidate.once) * 1e9, stats::median(looped) * 1e9);
  return made;
}

// What the calls of both arms cost, in the rounds of the session that both took part in and in those after
// it.
struct paid_calls {
  std::vector<double> reference{}, candidate{};
};

paid_calls paid_by(const pairing_result& r, const family_evidence& e) {
  paid_calls all;
  const auto &first = e.session.arms[r.pairing.reference].round,
             &second = e.session.arms[r.pairing.candidate].round;
  const auto &first_s = e.arms.paid_s(r.pairing.reference), &second_s = e.arms.paid_s(r.pairing.candidate);
  const auto add = [&](double reference, double candidate) {
    if (!(reference > 0) || !(candidate > 0)) return;
    all.reference.push_back(reference);
    all.candidate.push_back(candidate);
  };
  for (std::size_t i = 0, j = 0;
       i < std::min(first.size(), first_s.size()) && j < std::min(second.size(), second_s.size());) {
    if (first[i] == second[j]) {
      add(first_s[i++], second_s[j++]);
    } else {
      first[i] < second[j] ? ++i : ++j;
    }
  }
  if (e.fresh.arms.empty()) return all;
  const auto &more = e.fresh.arms[r.pairing.reference].paid, &others = e.fresh.arms[r.pairing.candidate].paid;
  for (std::size_t i = 0; i < std::min(more.size(), others.size()); ++i) add(more[i], others[i]);
  return all;
}

check mean_check(const pairing_result& r, const family_evidence& e) {
  if (has_team(r, e))
    return {.id = "mean",
            .evidence = "threads that wait for each other are slow on average on a busy machine"};
  const auto paid = paid_by(r, e);
  const auto lost = lost_in_means(paid.reference, paid.candidate);
  if (lost.values == 0) return {.id = "mean", .evidence = "too few rounds"};
  return made_of("mean", r, lost, limits_of_mean, "by the means of calls");
}

}  // namespace

std::vector<check> sampling_checks(const pairing_result& r, const family_evidence& e) {
  std::vector<check> all{clock_check(r, e)};
  if (!is_of_time(r, e)) return all;
  all.push_back(fresh_data_check(r, e));
  all.push_back(alone_check(r, e));
  all.push_back(repeats_check(r, e));
  all.push_back(mean_check(r, e));
  return all;
}

}  // namespace ridge::harness
