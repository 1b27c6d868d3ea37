// SPDX-License-Identifier: Apache-2.0
#include "chart_scale.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <ridge/base/units.hpp>

namespace ridge::report {
namespace {

// Returns 1, 2 or 5 times a power of ten, so that about six steps cover the range.
double tick_step(double range) {
  const double rough = range / 6;
  const double decade = std::pow(10, std::floor(std::log10(rough)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (factor * decade >= rough) return factor * decade;
  }
  return 10 * decade;
}

}  // namespace

chart_ruler::chart_ruler(const chart_axis& axis, double least, double greatest, double length)
    : axis_(axis), least_(least), greatest_(greatest), length_(length) {
  if (axis_.scale == chart_scale::logarithmic) {
    if (greatest_ < least_ * 2) least_ /= 1.5, greatest_ *= 1.5;
    // Marks at the ends stay clear of the frame.
    const double margin = std::pow(greatest_ / least_, 0.03);
    least_ /= margin;
    greatest_ *= margin;
    return;
  }
  if (!axis_.categories.empty()) {
    least_ = -0.5;
    greatest_ = static_cast<double>(axis_.categories.size()) - 0.5;
    step_ = 1;
    return;
  }
  if (least_ > 0 && least_ < 0.6 * greatest_) least_ = 0;
  if (greatest_ <= least_) greatest_ = least_ + std::max(std::fabs(least_) * 0.1, 1e-12);
  step_ = tick_step(greatest_ - least_);
  least_ = std::floor(least_ / step_ + 1e-9) * step_;
  greatest_ = std::ceil(greatest_ / step_ - 1e-9) * step_;
}

double chart_ruler::placed(double value) const {
  return axis_.scale == chart_scale::logarithmic ? std::log(value) : value;
}

double chart_ruler::at(double value) const {
  return length_ * (placed(value) - placed(least_)) / (placed(greatest_) - placed(least_));
}

bool chart_ruler::takes(double value) const {
  return std::isfinite(value) && (axis_.scale == chart_scale::linear || value > 0);
}

std::vector<double> chart_ruler::ticks() const {
  std::vector<double> all;
  for (std::size_t i = 0; i < axis_.categories.size(); ++i) all.push_back(static_cast<double>(i));
  if (!all.empty()) return all;
  if (axis_.scale == chart_scale::linear) {
    const auto count = std::llround((greatest_ - least_) / step_);
    for (long long i = 0; i <= count; ++i) all.push_back(least_ + static_cast<double>(i) * step_);
    return all;
  }
  if (axis_.unit == "n") return powers_of_two();
  const bool narrow = greatest_ / least_ < 50;
  for (int e = static_cast<int>(std::floor(std::log10(least_))); std::pow(10, e) <= greatest_; ++e) {
    for (const double factor : {1.0, 2.0, 5.0}) {
      const double tick = factor * std::pow(10, e);
      if ((narrow || factor == 1.0) && tick >= least_ * 0.999 && tick <= greatest_ * 1.001)
        all.push_back(tick);
    }
  }
  return all;
}

// Sizes are powers of two more often than of ten.
std::vector<double> chart_ruler::powers_of_two() const {
  constexpr double most = 8;
  const double first = std::ceil(std::log2(least_) - 1e-9), last = std::floor(std::log2(greatest_) + 1e-9);
  const double every = std::max(1.0, std::ceil((last - first + 1) / most));
  std::vector<double> all;
  for (double e = first; e <= last; e += every) all.push_back(std::exp2(e));
  return all;
}

std::string chart_ruler::text(double tick) const {
  if (!axis_.categories.empty()) return axis_.categories.at(static_cast<std::size_t>(std::lround(tick)));
  if (std::fabs(tick) < 1e-9 * (greatest_ - least_)) return "0";
  if (axis_.unit == "n") return format_count(std::llround(tick));
  if (axis_.unit.empty())
    return std::fabs(tick) >= 10000 && tick == std::round(tick) ? format_grouped(std::llround(tick))
                                                                : fmt::format("{:.4g}", tick);
  return format_quantity(tick, axis_.unit);
}

}  // namespace ridge::report
