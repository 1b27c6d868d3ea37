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
  double t = 0;     // of all values: the loss over its standard error, as Student's t is distributed
  std::size_t values = 0;
  std::vector<double> each{};  // of losses that are told apart one by one; empty else
};

// What makes a loss too much.
struct loss_limits {
  double least_loss = 0;            // as a logarithm
  double most_by_noise = 1e-4;      // probability of as much where nothing is lost, by Student's t
  double most_by_noise_of_few = 0;  // the same where there are fewer than six values; 0: these say nothing
  double share_left = 0.5;          // of the gain's logarithm, that must be left
  double most_by_chance = 1e-3;     // of so many single losses too much, where half of them are by chance
};

// The probability that noise alone makes a loss seem as clear as this one.
[[nodiscard]] double probability_by_noise(const lost_gain& lost);

// Whether less of the gain `claimed`, a logarithm of 2 % and more, is left than must be, and what is lost is
// clearly more than noise: by Student's t, or since nearly every single loss is too much (sign test: ten of
// ten, 13 of 14), which no candidate averts by being slow now and then. The sign test holds for any noise,
// also where exactly as much is lost as may be; of an honest candidate single losses are too much far less
// often than every other time.
[[nodiscard]] bool is_lost(double claimed, const lost_gain& lost, const loss_limits& limits);

// What is lost from one round of a pair to the other: `claimed` and `left` hold the logarithm for each pair.
// The standard error of the median difference comes from their median absolute deviation. For three to 32
// values and normal noise its quotient is as rare as Student's t of that size, or rarer.
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
