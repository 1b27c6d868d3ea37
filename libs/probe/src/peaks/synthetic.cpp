// SPDX-License-Identifier: Apache-2.0
#include <ridge/probe/synthetic.hpp>

#include <algorithm>
#include <cmath>

#include <ridge/base/expects.hpp>
#include <ridge/probe/roofs.hpp>
#include <ridge/stats/quantile.hpp>

namespace ridge::probe {
namespace {

double median_of(std::span<const sweep_sample> rounds, double sweep_sample::*what) {
  std::vector<double> x;
  for (const auto& r : rounds) x.push_back(r.*what);
  return stats::median(x);
}

}  // namespace

model::sweep_step step_of(int fma_per_element, double element_bytes, std::span<const sweep_sample> rounds) {
  expects(!rounds.empty(), "step_of: one round or more");
  model::sweep_step step{.fma_per_element = fma_per_element};
  step.intensity = 2.0 * fma_per_element / element_bytes;
  const auto roof_in = [&](const sweep_sample& r) {
    return fma_per_element == 0 ? r.bandwidth : attainable(r.peak, r.bandwidth, step.intensity);
  };
  std::vector<double> shares, roofs;
  for (const auto& r : rounds) roofs.push_back(roof_in(r)), shares.push_back(r.rate / roofs.back());
  std::ranges::sort(shares);
  step.flop_per_s = median_of(rounds, &sweep_sample::rate);
  step.roof = stats::median(roofs);
  step.share = stats::median(shares);
  const auto found = stats::quantile_with_interval(shares, 0.5, 0.95);
  step.share_ci = found ? found->ci : interval{shares.front(), shares.back()};
  return step;
}

void finish(model::intensity_sweep& sweep) {
  constexpr double knee_factor = 3.1622776601683795;  // half a decade
  sweep.ridge = sweep.peak / sweep.bandwidth;
  sweep.worst_off_knee = sweep.knee_rounding = 0;
  for (auto& s : sweep.steps) {
    s.at_knee = s.intensity > sweep.ridge / knee_factor && s.intensity < sweep.ridge * knee_factor;
    auto& worst = s.at_knee ? sweep.knee_rounding : sweep.worst_off_knee;
    worst = std::max(worst, s.at_knee ? 1 - s.share : std::abs(s.share - 1));
  }
}

}  // namespace ridge::probe
