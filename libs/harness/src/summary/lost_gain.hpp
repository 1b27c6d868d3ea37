// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace ridge::harness {

// What of a gain in time goes under another condition, as a logarithm of how many times as fast the candidate
// is.
struct lost_gain {
  double loss = 0;  // the least of all values, of their first half and of their second
  double t = 0;     // of all values: the loss over its standard error
  std::size_t values = 0;
};

// Whether less than half of the gain `claimed`, a logarithm of 2 % and more, is left, and what is lost is
// clearly more than noise by these limits, by six values at least.
struct loss_limits {
  double least_loss = 0;        // as a logarithm
  double most_by_noise = 1e-4;  // probability of as much where nothing is lost, by Student's t
};
[[nodiscard]] bool is_lost(double claimed, const lost_gain& lost, const loss_limits& limits);

// What is lost from one round of a pair to the other: `claimed` and `left` hold the logarithm for each pair.
// The standard error of the median difference comes from their median absolute deviation.
[[nodiscard]] lost_gain lost_in_pairs(std::span<const double> claimed, std::span<const double> left);

// What is lost from the median of calls to their mean, where the slowest hundredth of each arm counts as much
// as the fastest of it. `reference_s` and `candidate_s` hold the seconds of a call in the same rounds, in
// their order; the standard error comes from up to 24 blocks of four rounds and more.
[[nodiscard]] lost_gain lost_in_means(std::span<const double> reference_s,
                                      std::span<const double> candidate_s);

// Seconds of a call of the candidate in samples of many calls and where each call has data of its own, by
// pair of rounds.
struct single_calls {
  std::span<const double> looped_s{}, once_s{};
  // What a call of the reference takes more where it is alone: caches and predictors, not its work. The
  // candidate is allowed the same.
  double alone_s = 0;
};
// What is lost where each call has data of its own.
[[nodiscard]] lost_gain lost_in_single_calls(const single_calls& calls);

}  // namespace ridge::harness
