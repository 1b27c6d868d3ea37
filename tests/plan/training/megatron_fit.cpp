// SPDX-License-Identifier: Apache-2.0
#include "megatron_fit.hpp"

#include <cmath>

#include "minimize.hpp"

namespace ridge::plan::train {
namespace {

training_coefficients with(const std::vector<double>& found) {
  training_coefficients c;
  c.gpu = "A100 SXM 80 GB";
  c.attention_efficiency = 0.55;
  c.bf16_efficiency = found[0];
  c.half_size = found[1];
  c.bandwidth_efficiency = found[2];
  return c;
}

double cost(std::span<const measured_run> runs, const training_coefficients& c) {
  double sum = 0;
  for (const auto& r : runs) {
    const double e = std::log(predict_s(r, c) / r.step_s);
    sum += e * e;
  }
  return sum;
}

}  // namespace

training_coefficients fit_megatron(std::span<const measured_run> runs) {
  const std::vector<unknown> unknowns{{0.9, 0.6, 0.96}, {500, 0, 2000}, {0.8, 0.7, 0.92}};
  return with(minimize([&](const std::vector<double>& parameters) { return cost(runs, with(parameters)); },
                       unknowns));
}

}  // namespace ridge::plan::train
