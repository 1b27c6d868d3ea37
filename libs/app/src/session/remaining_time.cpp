// SPDX-License-Identifier: Apache-2.0
#include "session/remaining_time.hpp"

#include <algorithm>
#include <utility>

namespace ridge::app {

remaining_time::remaining_time(std::vector<planned_time> planned, double start_s)
    : planned_(std::move(planned)), start_s_(start_s), family_start_s_(start_s) {}

void remaining_time::advance(std::size_t done, double fraction, double now_s) {
  fraction_ = std::clamp(fraction, 0.0, 1.0);
  if (done <= done_ || done > planned_.size()) return;
  for (std::size_t i = done_; i < done; ++i) {
    fixed_sum_ += planned_[i].fixed_s;
    data_sum_ += planned_[i].data_s;
  }
  data_seen_ = std::max(0.0, now_s - start_s_ - fixed_sum_);
  done_ = done;
  family_start_s_ = now_s;
}

// The plan counts a little beside what was seen, so that a family without untimed work of note does not
// decide alone.
double remaining_time::expected(std::size_t family) const {
  constexpr double of_seen = 0.05, of_usual = 0.01;
  double whole = 0;
  for (const auto& p : planned_) whole += p.data_s;
  const double weight = of_seen * data_sum_ + of_usual * whole / static_cast<double>(planned_.size());
  const double scale = weight > 0 ? (weight + data_seen_) / (weight + data_sum_) : 1;
  return planned_[family].fixed_s + scale * planned_[family].data_s;
}

double remaining_time::seconds(double now_s) const {
  double left = 0;
  for (std::size_t i = done_; i < planned_.size(); ++i) left += expected(i);
  if (done_ == planned_.size()) return 0;
  // What is left of the budget of the present family must still pass, however long it has taken so far.
  const double gone = now_s - family_start_s_;
  const double own = expected(done_);
  const double at_least = (1 - fraction_) * planned_[done_].fixed_s;
  return left - own + std::max(own - gone, at_least);
}

double remaining_time::share(double now_s) const {
  const double gone = now_s - start_s_, left = seconds(now_s);
  return gone + left > 0 ? gone / (gone + left) : 0;
}

}  // namespace ridge::app
