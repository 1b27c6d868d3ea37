// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace ridge::harness {

// How many lone rounds there is time for, and how long they may take. What variants take longer for their
// steps than the first one counts for no limit but the last: else one could end the rounds by being slow.
class lone_pace {
 public:
  static constexpr std::size_t usual_rounds = 12, most_rounds = 32, least_rounds = 3;
  // Threads that were stopped sometimes wake ten times as late: fewer rounds say nothing of variants of
  // several.
  static constexpr std::size_t least_rounds_of_teams = 6;

  // `session_s`: seconds of the session's budget.
  explicit lone_pace(double session_s);
  // The rounds begin at this time, in seconds; `has_team`: a variant has several threads. Then there are as
  // many rounds as say something of it, where all rounds may take so long.
  void begin(double now_s, bool has_team) {
    begin_s_ = now_s, end_s_ = now_s, rounds_ = 0, excess_s_ = 0;
    wanted_ = has_team ? least_rounds_of_teams : least_rounds;
  }
  // A round has ended at this time; `excess_s` is what variants took longer in it than the first one.
  void end_round(double now_s, double excess_s);

  // Whether the fewest rounds that say something take too long, by the first one.
  [[nodiscard]] bool is_out_of_reach() const;
  // Whether there is no time for another round.
  [[nodiscard]] bool is_over() const;
  [[nodiscard]] std::size_t rounds() const { return rounds_; }
  // Seconds that the fewest rounds may take.
  [[nodiscard]] double longest_s() const { return longest_s_; }

 private:
  [[nodiscard]] double whole_s() const { return end_s_ - begin_s_; }
  [[nodiscard]] double each_s() const;

  double budget_s_, longest_s_;
  double begin_s_ = 0, end_s_ = 0, excess_s_ = 0;
  std::size_t rounds_ = 0, wanted_ = least_rounds;
};

}  // namespace ridge::harness
