// SPDX-License-Identifier: Apache-2.0
#include <ridge/plan/serve/served.hpp>

#include <algorithm>
#include <bit>
#include <cmath>

namespace ridge::plan::serve {
namespace {

constexpr double shortest_s = 1e-9;
constexpr std::uint64_t bins_an_octave = 64;
constexpr unsigned below_bins = 46;              // bits of a double below the six that select the bin
constexpr std::uint64_t of_one = 1023ULL << 6U;  // exponent of 1.0 and no fraction

// The exponent of a double and the first six bits of its fraction, relative to those of a nanosecond.
std::size_t bin_of(double seconds) {
  const double scaled = std::max(seconds / shortest_s, 1.0);
  return static_cast<std::size_t>((std::bit_cast<std::uint64_t>(scaled) >> below_bins) - of_one);
}

double middle_s(std::size_t bin) {
  const auto octave = static_cast<int>(bin / bins_an_octave);
  const auto fraction =
      (static_cast<double>(bin % bins_an_octave) + 0.5) / static_cast<double>(bins_an_octave);
  return shortest_s * std::ldexp(1 + fraction, octave);
}

}  // namespace

double served_request::tpot_s() const {
  return output_tokens > 1 ? (last_token_s - first_token_s) / static_cast<double>(output_tokens - 1) : 0;
}

void duration_histogram::add(double seconds, std::int64_t times) {
  if (times <= 0) return;
  bins_[std::min(bin_of(seconds), bins_.size() - 1)] += times;
  count_ += times;
  total_s_ += seconds * static_cast<double>(times);
  maximum_s_ = std::max(maximum_s_, seconds);
}

void duration_histogram::merge(const duration_histogram& other) {
  for (std::size_t i = 0; i < bins_.size(); ++i) bins_[i] += other.bins_[i];
  count_ += other.count_;
  total_s_ += other.total_s_;
  maximum_s_ = std::max(maximum_s_, other.maximum_s_);
}

double duration_histogram::quantile_s(double q) const {
  const double wanted = q * static_cast<double>(count_);
  std::int64_t below = 0;
  for (std::size_t i = 0; i < bins_.size(); ++i) {
    below += bins_[i];
    if (below > 0 && static_cast<double>(below) >= wanted) return std::min(middle_s(i), maximum_s_);
  }
  return maximum_s_;
}

double duration_histogram::share_below(double seconds) const {
  if (count_ == 0) return 1;
  const auto last = std::min(bin_of(seconds), bins_.size());
  std::int64_t below = 0;
  for (std::size_t i = 0; i < last; ++i) below += bins_[i];
  return static_cast<double>(below) / static_cast<double>(count_);
}

}  // namespace ridge::plan::serve
