// SPDX-License-Identifier: Apache-2.0
#include "session/remaining_time.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace ridge::app {
namespace {

// What is planned counts a little beside what was seen, so that a family without untimed work of note does
// not decide alone: so much of the untimed work that was seen, and of that of a usual family.
constexpr double of_seen = 0.05, of_usual = 0.01;
constexpr double most_medians = 3;  // a family counts as so many times the median at most

}  // namespace

// The ratio below which half of the weight of all lies; sorts them.
double remaining_time::median_ratio(std::vector<ratio_to_plan>& all, double weight) {
  std::ranges::sort(all, {}, &ratio_to_plan::ratio);
  double below = 0;
  for (const auto& r : all) {
    below += r.weight;
    if (below >= weight / 2) return r.ratio;
  }
  return all.back().ratio;
}

remaining_time::remaining_time(std::vector<planned_time> planned, double start_s)
    : planned_(std::move(planned)), start_s_(start_s), family_start_s_(start_s) {}

void remaining_time::advance(std::size_t done, double fraction, double now_s) {
  fraction_ = std::clamp(fraction, 0.0, 1.0);
  if (done <= done_ || done > planned_.size()) return;
  double fixed_s = 0, data_s = 0;
  for (std::size_t i = done_; i < done; ++i) {
    fixed_s += planned_[i].fixed_s;
    data_s += planned_[i].data_s;
  }
  const double seen_s = std::max(0.0, now_s - family_start_s_ - fixed_s);
  const bool before = planned_[done_].measured_before;
  if (data_s > 0) seen_.push_back({seen_s / data_s, before ? 1 : data_s, before});
  done_ = done;
  family_start_s_ = now_s;
}

// The weighted mean, in which one family far from its plan counts as if it had taken a few times the median:
// it does not decide for all others. Families that were measured before on this machine say nothing of the
// plan of those that were not.
double remaining_time::scale(bool measured_before) const {
  double whole = 0, weight = 0;
  for (const auto& p : planned_) whole += p.data_s;
  std::vector<ratio_to_plan> all;
  std::ranges::copy_if(seen_, std::back_inserter(all),
                       [&](const auto& r) { return r.measured_before == measured_before; });
  for (const auto& r : all) weight += r.weight;
  // What was measured before is worth as much as a family of this run.
  const double of_plan =
      measured_before ? 1 : of_seen * weight + of_usual * whole / static_cast<double>(planned_.size());
  if (of_plan <= 0) return 1;
  all.push_back({1, of_plan, measured_before});
  weight += of_plan;
  const double most = most_medians * median_ratio(all, weight);
  double sum = 0;
  for (const auto& r : all) sum += r.weight * std::min(r.ratio, most);
  return sum / weight;
}

double remaining_time::expected(std::size_t family) const {
  const auto& p = planned_[family];
  return p.fixed_s + scale(p.measured_before) * p.data_s;
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
