// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace ridge::harness {

// A gain in time, and what is left of it under another condition. Both are logarithms of how many times as
// fast the candidate is.
struct gain_left {
  double claimed = 0;
  double left = 0;
  double t = 0;            // the difference over its standard error
  std::size_t values = 0;  // that the standard error comes from
};

// Whether less than half of a gain of 2 % and more is left, and what is lost is clearly more than noise: at
// least `least_lost`, in the logarithm, by six values at least, and with a probability below 1e-4 (Student's
// t) where nothing is lost.
[[nodiscard]] bool is_lost(const gain_left& gain, double least_lost);

// A gain seen in pairs of rounds: `claimed` on the data that it is claimed for and `left` on others, a
// logarithm for each pair. The standard error of the median difference comes from their median absolute
// deviation.
[[nodiscard]] gain_left gain_in_pairs(std::span<const double> claimed, std::span<const double> left);

// The gain by medians of calls, and by their means where the slowest hundredth of each arm counts as much as
// the fastest of it. `reference_s` and `candidate_s` hold the seconds of a call in the same rounds, in their
// order; the standard error comes from up to 24 blocks of four rounds and more.
[[nodiscard]] gain_left gain_in_means(std::span<const double> reference_s,
                                      std::span<const double> candidate_s);

// Seconds of a call of both arms in samples of many calls, and where each call has data of its own.
struct single_calls {
  double reference_s = 0, candidate_s = 0;  // in samples of many calls
  // What a call of the reference takes more where it is alone: caches and predictors, not its work. The
  // candidate is allowed the same.
  double alone_s = 0;
  std::vector<double> candidate_once_s{};  // by pair of rounds
};
// The gain where a sample makes many calls on the same data, and where each call has its own.
[[nodiscard]] gain_left gain_of_single_calls(const single_calls& calls);

}  // namespace ridge::harness
