// SPDX-License-Identifier: Apache-2.0
#include <ridge/plan/serve/served.hpp>

#include <algorithm>
#include <cmath>

namespace ridge::plan::serve {
namespace {

constexpr double shortest_s = 1e-9;

}  // namespace

double served_request::tpot_s() const {
  return output_tokens > 1 ? (last_token_s - first_token_s) / static_cast<double>(output_tokens - 1) : 0;
}

void duration_histogram::add(double seconds, std::int64_t times) {
  if (times <= 0) return;
  const double octave = std::log2(std::max(seconds, shortest_s) / shortest_s);
  const auto bin = static_cast<std::size_t>(octave * bins_per_octave);
  bins_[std::min(bin, bins_.size() - 1)] += times;
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
    if (below > 0 && static_cast<double>(below) >= wanted)
      return std::min(shortest_s * std::exp2((static_cast<double>(i) + 0.5) / bins_per_octave), maximum_s_);
  }
  return maximum_s_;
}

double duration_histogram::share_below(double seconds) const {
  if (count_ == 0) return 1;
  const double octave = std::log2(std::max(seconds, shortest_s) / shortest_s);
  const auto last = std::min(static_cast<std::size_t>(octave * bins_per_octave), bins_.size());
  std::int64_t below = 0;
  for (std::size_t i = 0; i < last; ++i) below += bins_[i];
  return static_cast<double>(below) / static_cast<double>(count_);
}

}  // namespace ridge::plan::serve
