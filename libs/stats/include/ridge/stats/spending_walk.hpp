// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

namespace ridge::stats {

// What one look at the data may use.
struct look {
  std::size_t rank = 0;  // the interval is [x_(rank), x_(n+1-rank)] of all n observations; 0: none yet
  double spent = 0;      // probability that this or an earlier look's interval excludes the true median
  double level = 1;      // confidence this interval would have as the only look; 1 when there is none
};

// Returns what may be spent once `fraction` of the budget is gone, by O'Brien-Fleming spending (Lan & DeMets,
// Biometrika 70, 1983): 2(1 - Φ(z_{alpha/2} / √fraction)). Returns 0 for fraction <= 0, and alpha from 1 on.
[[nodiscard]] double obrien_fleming(double alpha, double fraction);

// Boundaries for repeated looks at the sign-test interval of a median, with total two-sided error <= alpha
// for any number of looks at any fractions. Under the hypothesis "the median is m" of independent
// observations,
// #(x>m) - #(x<m) is a ±1 walk; its distribution given that no earlier look excluded m is carried exactly
// from look to look, so each look gets the largest rank whose exact added crossing probability fits under the
// spending function, and what the lattice leaves over is spent later. Ties with m only make it conservative.
// The times of the looks may depend on anything but the signs seen so far.
//
// When the observations change nature (blocked because they turned out dependent), begin a new walk with
// `already_spent` = the old walk's spent: the union bound keeps the total.
class spending_walk {
 public:
  // `alpha` is the probability, over all looks, that an interval misses the median; `already_spent` is what
  // earlier walks used of it.
  explicit spending_walk(double alpha = 0.05, double already_spent = 0);

  // Takes a look after n observations in all, at `fraction` of the budget (clipped to 1, where everything
  // left is spent), and returns what it may use. Neither may fall from look to look. Takes about (states ×
  // √steps) operations.
  look step(std::size_t n, double fraction);

  // Return what may be spent in all, and what the looks so far have spent.
  [[nodiscard]] double alpha() const { return alpha_; }
  [[nodiscard]] double spent() const { return spent_; }

 private:
  void advance(std::size_t n);
  std::size_t absorb(double allowance);
  void trim(std::size_t count);

  double alpha_;
  double spent_;
  double fraction_ = 0;
  std::size_t n_ = 0;
  std::size_t first_ = 0;  // probability_[i]: first_ + i observations lie above m, no look crossed
  std::vector<double> probability_{1.0};
};

}  // namespace ridge::stats
