// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <span>
#include <vector>

#include <ridge/base/interval.hpp>
#include <ridge/stats/spending_walk.hpp>

namespace ridge::harness {

// When the data were looked at: after `rounds` rounds, at this fraction of the budget.
struct look_point {
  std::uint64_t rounds = 0;
  double fraction = 0;
};

// The ratio that a series of oriented log ratios gives.
struct pair_estimate {
  double ratio = 1;  // exp of the median of the values that the interval comes from: it lies in the interval
  interval ci{0, std::numeric_limits<double>::infinity()};  // of the ratio; this one while there is none
  std::size_t pairs = 0;
  // p-value of the verdict that the median implies: better or worse by more than the smallest effect that
  // matters, else equivalent. Holm's correction protects the verdicts only when it orders these.
  double p_claim = 1;
  double autocorrelation = 0;
  std::size_t block_length = 1;  // above 1: neighbours were dependent, medians of blocks were used
  bool halves_agree = true;
  double alpha_spent = 0;
  // Half the width of the interval, relative to the ratio.
  [[nodiscard]] double half_width() const;
};

// The boundaries of the sign walk for one set of looks, computed once for each level.
class look_schedule {
 public:
  // Adds a look; looks come in the order of time.
  void add(look_point point) { points_.push_back(point); }
  [[nodiscard]] const std::vector<look_point>& points() const { return points_; }

  // The estimate from `x`, which holds a log ratio per round, oriented so that above 0 is better, in the
  // order of time; `rounds` names the round of each. `alpha` is the two-sided error, `effect` the smallest
  // relative effect that matters.
  [[nodiscard]] pair_estimate estimate(std::span<const double> x, std::span<const std::uint64_t> rounds,
                                       double alpha, double effect);

 private:
  struct progress {
    stats::spending_walk walk;
    std::size_t looked = 0;
    stats::look last{};
  };
  [[nodiscard]] stats::look full_rotation(double alpha);
  [[nodiscard]] stats::look replay(std::span<const std::uint64_t> rounds, std::size_t block,
                                   double alpha) const;

  std::vector<look_point> points_;
  std::map<double, progress> walks_;  // by alpha, for pairings that were in every round
};

}  // namespace ridge::harness
