// SPDX-License-Identifier: Apache-2.0
#include "verify/fresh_rounds.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include <ridge/base/splitmix.hpp>
#include <ridge/host/topology.hpp>
#include <ridge/stats/median.hpp>

#include "data/keyed_member.hpp"

namespace ridge::harness {
namespace {

constexpr std::size_t usual_pairs = 12, most_pairs = 24;
constexpr std::size_t enough_rounds = 64;    // of the session and after it, for means
constexpr std::size_t most_more_rounds = 8;  // between two pairs, on nearly the same data
constexpr std::size_t most_alone = 4;        // members that are called once each
// Of the seconds of the session's rounds. The fewest pairs may take longer, so that long calls and a busy
// machine get them, too.
constexpr double least_budget_s = 0.1, share_of_session = 0.08;
constexpr double least_longest_s = 0.25, longest_share_of_session = 0.2;
constexpr double longest_doubt_s = 0.5;
constexpr double least_doubted = 0.1;  // as a logarithm

double round_s(const session_record& session) {
  double all = 0;
  for (const auto& arm : session.arms) all += arm.seconds.empty() ? 0 : stats::median(arm.seconds);
  return all;
}

double log_gain(const std::vector<double>& arm, const std::vector<double>& baseline) {
  return std::log(stats::median(baseline) / stats::median(arm));
}

class fresh_rounds_of {
 public:
  fresh_rounds_of(family_arms& arms, const session_record& session, std::uint64_t seed)
      : arms_(arms), session_(session), lots_(mix_keys(seed, 0x66726573)), order_(arms.arms()) {
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    for (const auto& arm : session.arms) loops_ = loops_ || arm.iterations > 1;
    made_.arms.resize(arms.arms());
    const auto near_bytes = host::read_topology().cache_bytes(1) / 2;
    few_ = std::clamp<std::size_t>(near_bytes / std::max<std::size_t>(arms.members().bytes_of_one(), 1), 1,
                                   std::min(most_alone, arms.members().most_used()));
  }

  fresh_rounds run() {
    const double budget_s = std::max(least_budget_s, share_of_session * session_.wall_s);
    const double longest_s = std::max(least_longest_s, longest_share_of_session * session_.wall_s);
    if (arms_.members().has_files()) {
      made_.skipped = "files are drawn once";
    } else if (2 * static_cast<double>(least_fresh_pairs) * round_s(session_) > longest_s) {
      made_.skipped =
          fmt::format("{} pairs of rounds take longer than {:.2g} s", least_fresh_pairs, longest_s);
    } else {
      const double start = monotonic_seconds();
      const auto goes_on = [&] {
        const double seconds = monotonic_seconds() - start;
        if (made_.pairs < least_fresh_pairs) return seconds < longest_s;
        if (looks_lost()) return seconds < std::max(budget_s, longest_doubt_s);
        return seconds < budget_s && !(made_.pairs >= usual_pairs && has_enough_rounds());
      };
      while (made_.pairs < most_pairs && goes_on()) one_pair();
      if (made_.pairs < least_fresh_pairs)
        made_.skipped = fmt::format("only {} pairs of rounds fit into {:.2g} s", made_.pairs, longest_s);
    }
    return std::move(made_);
  }

 private:
  [[nodiscard]] bool has_enough_rounds() const { return session_.rounds + 2 * made_.pairs >= enough_rounds; }

  // Whether an arm is faster than the baseline and half of that is gone on new data, were it not for noise.
  [[nodiscard]] bool looks_lost() const {
    for (std::size_t arm = 1; arm < made_.arms.size(); ++arm) {
      const double again = log_gain(made_.arms[arm].again, made_.arms[0].again);
      const double anew = log_gain(made_.arms[arm].anew, made_.arms[0].anew);
      if (again > least_doubted && anew < again / 2) return true;
    }
    return false;
  }

  // Whether all pairs fit the least budget with the rounds between them.
  [[nodiscard]] bool has_time_for_more() const {
    constexpr auto rounds = static_cast<double>(usual_pairs * (4 + most_more_rounds)) / 2;
    return rounds * round_s(session_) < least_budget_s / 2;
  }

  // Whether a round on other new data comes before the one that counts: single calls find code and tables in
  // the caches then, as in a session, so that a table does not look like answers that were kept. Samples of
  // many calls, and long calls, bring them there by themselves.
  [[nodiscard]] bool wants_warm_caches() const {
    return !loops_ && 3 * static_cast<double>(least_fresh_pairs) * round_s(session_) < least_budget_s;
  }

  void shuffle() {
    for (std::size_t i = order_.size(); i > 1; --i) std::swap(order_[i - 1], order_[lots_.below(i)]);
  }

  // The first of so many members, another one for each pair of rounds.
  [[nodiscard]] std::size_t first_of(std::size_t members) const {
    return made_.pairs % (arms_.members().size() - members + 1);
  }

  void one_pair() {
    // What comes back every few calls does not keep step with the pairs, and new data come no more often than
    // in a session.
    if (lots_.below(2) == 1) one_round(nullptr);
    if (made_.pairs > 0 && has_time_for_more()) {
      for (auto more = lots_.below(most_more_rounds + 1); more > 0; --more) {
        arms_.draw_again();
        one_round(nullptr);
      }
    }
    const auto members = loops_ ? arms_.members().most_used() : 1;
    if (wants_warm_caches()) {
      arms_.draw_anew(lots_(), first_of(members), members);
      one_round(nullptr);
    }
    arms_.draw_anew(lots_(), first_of(members), members);
    one_round(&fresh_times::anew);
    arms_.draw_again();
    one_round(&fresh_times::again);
    if (loops_) call_each_once();
    ++made_.pairs;
  }

  // A sample of every arm on the present data; `kept` takes its seconds, null: they count in the means alone.
  void one_round(std::vector<double> fresh_times::*kept) {
    arms_.begin_extra_round();
    shuffle();
    for (const auto arm : order_) {
      const auto n = session_.arms[arm].iterations;
      const auto calls = arms_.run_extra(arm, n);
      if (kept != nullptr) (made_.arms[arm].*kept).push_back(calls.seconds / static_cast<double>(n));
      made_.arms[arm].paid.push_back(arms_.paid_for(arm, n, calls));
    }
    arms_.end_extra_round("a round on fresh data");
  }

  // A first sample of each arm, on other data, brings its code and its tables into the caches. Of arms whose
  // samples are single calls only the baseline takes part: the results of the others are compared with its.
  void call_each_once() {
    arms_.begin_extra_round();
    shuffle();
    const auto key = lots_();
    for (const auto arm : order_) {
      const bool loops = session_.arms[arm].iterations > 1;
      if (!loops && arm != 0) continue;
      for (const auto data : {lots_(), key}) {
        if (!loops && data != key) continue;
        arms_.draw_anew(data, first_of(few_), few_);
        arms_.read_inputs();
        const auto calls = arms_.run_extra(arm, few_);
        if (loops && data == key) made_.arms[arm].once.push_back(calls.seconds / static_cast<double>(few_));
      }
    }
    arms_.end_extra_round("a round of single calls");
  }

  family_arms& arms_;
  const session_record& session_;
  splitmix_generator lots_;
  std::vector<std::size_t> order_;
  bool loops_ = false;
  std::size_t few_ = 1;
  fresh_rounds made_{};
};

}  // namespace

fresh_rounds take_fresh_rounds(family_arms& arms, const session_record& session, std::uint64_t seed) {
  return fresh_rounds_of(arms, session, seed).run();
}

}  // namespace ridge::harness
