// SPDX-License-Identifier: Apache-2.0
#include "timing/burst_clock.hpp"

#include <algorithm>
#include <cmath>

namespace ridge::backends::probe_cuda {
namespace {

constexpr double calibrated_from_s = 0.5e-3;
constexpr int first_rounds = 1, most_rounds = 1 << 20;

}  // namespace

burst burst_clock::time(const std::function<double(int)>& enqueue, int rounds) {
  start_.record(nullptr);
  const double work = enqueue(rounds);
  end_.record(nullptr);
  end_.synchronize();
  return {end_.seconds_since(start_), work};
}

int burst_clock::rounds_for(double wanted_s, const std::function<double(int)>& enqueue) {
  (void)time(enqueue, first_rounds);
  int rounds = first_rounds;
  auto seen = time(enqueue, rounds);
  while (seen.seconds < calibrated_from_s && rounds < most_rounds) {
    rounds *= 4;
    seen = time(enqueue, rounds);
  }
  const double wanted = std::round(rounds * wanted_s / std::max(seen.seconds, 1e-6));
  return static_cast<int>(std::clamp<double>(wanted, first_rounds, most_rounds));
}

}  // namespace ridge::backends::probe_cuda
