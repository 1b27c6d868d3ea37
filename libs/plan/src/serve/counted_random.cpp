// SPDX-License-Identifier: Apache-2.0
#include <ridge/plan/serve/counted_random.hpp>

#include <cmath>
#include <numbers>

#include <ridge/base/expects.hpp>
#include <ridge/stats/counter_random.hpp>

namespace ridge::plan::serve {
namespace {

// The nth number of one purpose: rejection methods need several.
constexpr std::uint64_t draw(std::uint64_t purpose, std::uint64_t nth) { return (purpose << 8U) + nth; }

}  // namespace

std::uint64_t random_bits(std::uint64_t seed, std::uint64_t index, std::uint64_t purpose) {
  return stats::random_bits(seed, purpose, index);
}

double random_uniform(std::uint64_t seed, std::uint64_t index, std::uint64_t purpose) {
  return (static_cast<double>(random_bits(seed, index, purpose) >> 11U) + 0.5) * 0x1p-53;
}

double random_exponential(std::uint64_t seed, std::uint64_t index, std::uint64_t purpose) {
  return -std::log(random_uniform(seed, index, purpose));
}

double random_normal(std::uint64_t seed, std::uint64_t index, std::uint64_t purpose) {
  const double u = random_uniform(seed, index, draw(purpose, 1));
  const double v = random_uniform(seed, index, draw(purpose, 2));
  return std::sqrt(-2 * std::log(u)) * std::cos(2 * std::numbers::pi * v);
}

double random_gamma(double shape, std::uint64_t seed, std::uint64_t index, std::uint64_t purpose) {
  expects(shape > 0, "random_gamma: the shape is above 0");
  const double raised = shape < 1 ? shape + 1 : shape;
  const double d = raised - 1.0 / 3, c = 1 / std::sqrt(9 * d);
  double v = 1;
  for (std::uint64_t n = 0;; ++n) {
    const double x = random_normal(seed, index, draw(purpose, 2 * n + 3));
    const double u = random_uniform(seed, index, draw(purpose, 2 * n + 4));
    v = std::pow(1 + c * x, 3);
    if (v > 0 && std::log(u) < 0.5 * x * x + d - d * v + d * std::log(v)) break;
  }
  if (shape >= 1) return d * v / shape;
  const double u = random_uniform(seed, index, draw(purpose, 0));
  return d * v * std::pow(u, 1 / shape) / shape;
}

double random_weibull(double shape, std::uint64_t seed, std::uint64_t index, std::uint64_t purpose) {
  expects(shape > 0, "random_weibull: the shape is above 0");
  return std::pow(random_exponential(seed, index, purpose), 1 / shape) / std::tgamma(1 + 1 / shape);
}

}  // namespace ridge::plan::serve
