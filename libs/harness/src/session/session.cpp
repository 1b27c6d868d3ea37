// SPDX-License-Identifier: Apache-2.0
#include <ridge/harness/session.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>

#include <ridge/base/expects.hpp>
#include <ridge/harness/calibration.hpp>
#include <ridge/harness/verdict.hpp>
#include <ridge/harness/warm_up.hpp>
#include <ridge/stats/multiplicity.hpp>
#include <ridge/stats/order_interval.hpp>
#include <ridge/stats/quantile.hpp>

#include "session/rotation.hpp"

namespace ridge::harness {
namespace {

// Early looks are cheap under O'Brien-Fleming spending and let a clear case end after milliseconds.
constexpr std::array look_fractions{1 / 64.0, 1 / 48.0, 1 / 32.0, 1 / 24.0, 1 / 16.0,
                                    1 / 12.0, 1 / 8.0,  3 / 16.0, 1 / 4.0,  3 / 8.0,
                                    1 / 2.0,  5 / 8.0,  3 / 4.0,  7 / 8.0,  1.0};

// Stands for the interval of a median of log ratios around 0 that are too few for order statistics: 1 divided
// and multiplied by twice their median size, which a single outlier does not move. About 95 % of four normal
// values.
interval interval_of_few(std::vector<double> x, double ratio) {
  for (auto& each : x) each = std::fabs(each);
  const double half = std::max(2 * stats::median(x), std::fabs(std::log(ratio)));
  return {std::exp(-half), std::exp(half)};
}

// Whether a value has a logarithm.
bool is_positive(double value) { return value > 0 && std::isfinite(value); }

class session {
 public:
  session(contestants& contest, const protocol& p, const std::vector<pairing>& pairings,
          const std::vector<model::better>& better, const session_watch& watch, wall_clock now,
          const late_pairings& late)
      : late_(late),
        contest_(contest),
        p_(p),
        better_(better),
        watch_(watch),
        now_(now),
        rotation_(contest.arms(), p.seed) {
    for (const auto& one : pairings) record_.results.push_back({.pairing = one});
    judged_ = late.count + static_cast<std::size_t>(std::ranges::count_if(pairings, &pairing::judged));
    reference_ = pairings.empty() ? 0 : pairings.front().reference;
  }

  session_record run() {
    prepare();
    const double start = now_();
    std::size_t next_look = 0;
    while (true) {
      one_round();
      record_.wall_s = now_() - start;
      const double fraction = record_.wall_s / p_.budget_s;
      const bool stops = contest_.stop_requested() && enough_pairs();
      if (!stops && fraction < look_fractions[next_look]) continue;
      while (next_look < look_fractions.size() && look_fractions[next_look] <= fraction) ++next_look;
      const bool last = next_look == look_fractions.size();
      if (last && !enough_pairs()) {
        next_look = look_fractions.size() - 1;
        continue;
      }
      looks_.add({record_.rounds, std::min(1.0, fraction)});
      ++record_.looks;
      const bool go_on = !watch_ || watch_({std::min(1.0, fraction), record_.rounds});
      if (finished_at_this_look() || last || stops || !go_on) break;
    }
    conclude();
    return std::move(record_);
  }

 private:
  double alpha_each() const { return p_.alpha / static_cast<double>(std::max<std::size_t>(judged_, 1)); }

  void prepare() {
    const auto found = calibrate(contest_, p_);
    record_.arms.resize(contest_.arms());
    for (std::size_t arm = 0; arm < record_.arms.size(); ++arm) {
      record_.arms[arm].iterations = found.iterations[arm];
      record_.arms[arm].values.resize(contest_.metrics());
    }
    const auto warmth = warm_up(contest_, found.iterations, p_, now_);
    record_.warm_up_s = warmth.seconds;
    record_.warm = warmth.steady;
    contest_.warmed_up();
  }

  void one_round() {
    const auto round = record_.rounds;
    contest_.begin_round(round);
    const auto order = rotation_.order(round);
    std::vector<turn> turns;
    for (const auto arm : order) turns.push_back({arm, record_.arms[arm].iterations});
    std::size_t place = 0;
    contest_.run_turns(turns, [&](const sample& taken) {
      note(record_.arms[order[place]], taken, round, place);
      ++place;
    });
    record_.marked.push_back(contest_.end_round(round) ? 1 : 0);
    ++record_.rounds;
  }

  void note(arm_record& arm, const sample& taken, std::uint64_t round, std::size_t place) {
    record_.timed_s += taken.seconds;
    arm.seconds.push_back(taken.seconds);
    for (std::size_t m = 0; m < arm.values.size(); ++m) arm.values[m].push_back(taken.values[m]);
    arm.round.push_back(static_cast<std::uint32_t>(round));
    arm.position.push_back(static_cast<std::uint8_t>(place));
  }

  // Whether there are so many pairs that their range reaches the level that each judged pairing must have.
  bool enough_pairs() const { return stats::sign_rank(record_.rounds, alpha_each()) > 0; }

  pair_estimate estimate(const pairing& pair, std::size_t metric, double alpha) {
    std::vector<std::uint64_t> rounds;
    const auto x = log_ratios(record_.arms[pair.reference], record_.arms[pair.candidate], metric,
                              better_[metric], &rounds);
    return looks_.estimate(x, rounds, alpha, p_.min_effect);
  }

  // Every judged pairing, with those that are chosen from the times measured so far.
  std::vector<pairing> judged_pairings() const {
    std::vector<pairing> list;
    for (const auto& result : record_.results) {
      if (result.pairing.judged) list.push_back(result.pairing);
    }
    if (late_.choose) {
      for (const auto& one : late_.choose(record_.arms)) list.push_back(one);
    }
    return list;
  }

  bool finished_at_this_look() {
    const auto pairings = judged_pairings();
    if (pairings.empty()) return false;  // nothing can be settled, and no arm may rest
    bool all = true;
    const auto noise = repeatability_of_reference().ci;
    std::vector<bool> done(contest_.arms(), true);
    for (const auto& one : pairings) {
      const auto e = estimate(one, 0, alpha_each());
      const auto verdict = above_noise(judge(e.ci, p_.min_effect), e.ratio, noise);
      const bool clear = settled(verdict) && e.half_width() <= p_.clear_half_width;
      const bool precise = e.half_width() <= p_.target_half_width;
      const bool far = clear && (e.ci.lo > p_.leave_beyond || e.ci.hi < 1 / p_.leave_beyond);
      all = all && (clear || precise) && e.halves_agree;
      done[one.candidate] = done[one.candidate] && far;
      done[one.reference] = done[one.reference] && far;
    }
    if (!all) rest_arms(done);
    return all;
  }

  void rest_arms(const std::vector<bool>& done) {
    for (std::size_t arm = 0; arm < record_.arms.size(); ++arm) {
      if (done[arm]) {
        rotation_.leave(arm);
      } else {
        rotation_.enter(arm);
      }
    }
  }

  void conclude() {
    if (late_.choose) {
      for (const auto& one : late_.choose(record_.arms)) record_.results.push_back({.pairing = one});
    }
    record_.repeatability = repeatability_of_reference();
    correct_and_judge();
    const auto asked = record_.results;
    for (std::size_t metric = 1; metric < contest_.metrics(); ++metric) {
      for (const auto& one : asked) {
        if (!one.pairing.judged) continue;
        pairing_result further{.pairing = one.pairing, .metric = metric};
        further.pairing.judged = false;
        further.estimate = estimate(one.pairing, metric, p_.alpha);
        further.level = 1 - p_.alpha;
        complete(further);
        record_.results.push_back(further);
      }
    }
  }

  // The reference's samples of each round against those of its mirror.
  pair_estimate repeatability_of_reference() {
    const auto& arm = record_.arms[reference_];
    std::vector<double> x;
    std::vector<std::uint64_t> rounds;
    for (std::size_t i = 1; i < arm.round.size(); ++i) {
      const double before = arm.values[0][i - 1], after = arm.values[0][i];
      const bool mirrored = arm.round[i] % 2 == 1 && arm.round[i - 1] + 1 == arm.round[i];
      if (!mirrored || !is_positive(before) || !is_positive(after)) continue;
      x.push_back(std::log(before) - std::log(after));
      rounds.push_back(arm.round[i]);
    }
    auto seen = looks_.estimate(x, rounds, p_.alpha, p_.min_effect);
    if (!x.empty() && seen.ci.lo <= 0) seen.ci = interval_of_few(std::move(x), seen.ratio);
    return seen;
  }

  void correct_and_judge() {
    std::vector<double> p;
    for (auto& result : record_.results) {
      result.estimate = estimate(result.pairing, 0, p_.alpha);
      if (result.pairing.judged) p.push_back(result.estimate.p_claim);
    }
    const auto divisors = stats::holm_divisors(p, p_.alpha);
    std::size_t next = 0;
    for (auto& result : record_.results) {
      const double alpha =
          result.pairing.judged ? p_.alpha / static_cast<double>(divisors[next++]) : p_.alpha;
      result.estimate = estimate(result.pairing, 0, alpha);
      result.level = 1 - alpha;
      result.verdict = above_noise(judge(result.estimate.ci, p_.min_effect), result.estimate.ratio,
                                   record_.repeatability.ci);
      complete(result);
    }
  }

  void complete(pairing_result& result) const {
    std::vector<std::uint64_t> rounds;
    const auto x = log_ratios(record_.arms[result.pairing.reference], record_.arms[result.pairing.candidate],
                              result.metric, better_[result.metric], &rounds);
    if (x.empty()) return;
    result.hodges_lehmann = std::exp(stats::hodges_lehmann(x));
    std::vector<double> calm;
    for (std::size_t i = 0; i < x.size(); ++i) {
      if (record_.marked[rounds[i]] == 0) calm.push_back(x[i]);
    }
    result.ratio_unmarked = calm.empty() ? result.estimate.ratio : std::exp(stats::median(calm));
  }

  const late_pairings& late_;
  contestants& contest_;
  const protocol& p_;
  const std::vector<model::better>& better_;
  const session_watch& watch_;
  wall_clock now_;
  rotation rotation_;
  session_record record_;
  look_schedule looks_;
  std::size_t judged_ = 0;
  std::size_t reference_ = 0;
};

}  // namespace

double monotonic_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

std::vector<double> log_ratios(const arm_record& reference, const arm_record& candidate, std::size_t metric,
                               model::better better, std::vector<std::uint64_t>* rounds) {
  std::vector<double> x;
  const auto& r = reference.values[metric];
  const auto& c = candidate.values[metric];
  std::size_t i = 0, j = 0;
  while (i < r.size() && j < c.size()) {
    if (reference.round[i] != candidate.round[j]) {
      reference.round[i] < candidate.round[j] ? ++i : ++j;
      continue;
    }
    if (is_positive(r[i]) && is_positive(c[j])) {
      const double log = std::log(r[i]) - std::log(c[j]);
      x.push_back(better == model::better::lower ? log : -log);
      if (rounds) rounds->push_back(reference.round[i]);
    }
    ++i, ++j;
  }
  return x;
}

session_record measure(contestants& contest, const protocol& p, const std::vector<pairing>& pairings,
                       const std::vector<model::better>& better, const session_watch& watch, wall_clock now,
                       const late_pairings& late) {
  expects(contest.arms() > 0 && better.size() == contest.metrics(),
          "measure: one orientation per metric, and at least one arm");
  return session(contest, p, pairings, better, watch, now, late).run();
}

}  // namespace ridge::harness
