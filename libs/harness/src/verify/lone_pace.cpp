// SPDX-License-Identifier: Apache-2.0
#include "verify/lone_pace.hpp"

#include <algorithm>

namespace ridge::harness {
namespace {

constexpr double share_for_lone_rounds = 0.05, least_lone_budget_s = 0.05;
constexpr double least_lone_longest_s = 0.75, longest_lone_share = 0.4;  // of the session's budget

}  // namespace

lone_pace::lone_pace(double session_s)
    : budget_s_(std::max(least_lone_budget_s, share_for_lone_rounds * session_s)),
      longest_s_(std::max(least_lone_longest_s, longest_lone_share * session_s)) {}

void lone_pace::end_round(double now_s, double excess_s) {
  ++rounds_;
  end_s_ = now_s;
  excess_s_ += excess_s;
}

double lone_pace::each_s() const {
  return rounds_ == 0 ? 0 : (whole_s() - excess_s_) / static_cast<double>(rounds_);
}

bool lone_pace::is_out_of_reach() const {
  return rounds_ == 1 && static_cast<double>(least_rounds) * each_s() > longest_s_;
}

bool lone_pace::is_over() const {
  if (rounds_ < least_rounds) return false;
  if (rounds_ >= most_rounds || whole_s() > longest_s_) return true;
  return rounds_ >= wanted_ && static_cast<double>(rounds_ + 1) * each_s() > budget_s_;
}

}  // namespace ridge::harness
