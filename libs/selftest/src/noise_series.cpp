// SPDX-License-Identifier: Apache-2.0
#include "noise_series.hpp"

#include <cmath>

#include <ridge/stats/counter_random.hpp>

namespace ridge::selftest {
namespace {

// The streams of one seed that the series draws from.
enum stream : std::uint64_t { value, chance, size };

double normal_draw(std::uint64_t seed, std::size_t run) { return stats::random_normal(seed, value, run); }

bool happens(double probability, std::uint64_t seed, std::size_t run) {
  return stats::random_uniform(seed, chance, run) < probability;
}

}  // namespace

std::vector<double> noise_series(noise kind, std::size_t runs, std::uint64_t seed) {
  std::vector<double> series(runs);
  double last = normal_draw(seed, runs), mode = 1.2;
  for (std::size_t i = 0; i < runs; ++i) {
    double unit = normal_draw(seed, i);
    if (kind == noise::tail) {
      unit *= 0.7;
      if (happens(0.05, seed, i)) unit -= 6 * std::log1p(-stats::random_uniform(seed, size, i));
    } else if (kind == noise::wandering) {
      unit = last = 0.7 * last + std::sqrt(1 - 0.7 * 0.7) * unit;
    } else if (kind == noise::two_modes) {
      if (happens(1.0 / 8, seed, i)) mode = -mode;
      unit = mode + 0.5 * unit;
    }
    series[i] = 100 * (1 + 0.01 * unit);
  }
  return series;
}

}  // namespace ridge::selftest
