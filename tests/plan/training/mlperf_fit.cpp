// SPDX-License-Identifier: Apache-2.0
#include "mlperf_fit.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "kernel_shares.hpp"
#include "minimize.hpp"

namespace ridge::plan::train {
namespace {

std::vector<measured_run> runs_on(std::span<const measured_run> runs, std::string_view gpu) {
  std::vector<measured_run> all;
  for (const auto& r : runs) {
    if (r.gpu.name == gpu) all.push_back(r);
  }
  return all;
}

training_coefficients with_efficiency(training_coefficients c, double efficiency, double fixed_s) {
  c.fp8_efficiency = efficiency;
  c.fixed_s = fixed_s;
  return c;
}

training_coefficients fit_both(std::span<const measured_run> runs, const training_coefficients& c) {
  const auto found = minimize(
      [&](const std::vector<double>& parameters) {
        return squared_log_error(runs, with_efficiency(c, parameters[0], parameters[1]));
      },
      {{0.6, 0.1, 1}, {0.2, 0, 2}});
  return with_efficiency(c, found[0], found[1]);
}

training_coefficients fit_efficiency(std::span<const measured_run> runs, const training_coefficients& c,
                                     double fixed_s) {
  const auto found = minimize(
      [&](const std::vector<double>& parameters) {
        return squared_log_error(runs, with_efficiency(c, parameters[0], fixed_s));
      },
      {{0.6, 0.1, 1}});
  return with_efficiency(c, found[0], fixed_s);
}

// The mean over the GPUs whose runs determine it.
double usual_fixed_s(std::span<const measured_run> runs, const training_coefficients& coefficients) {
  double sum = 0;
  int many = 0;
  for (const std::string_view gpu : {"H100 SXM", "H200 SXM", "GB200"}) {
    const auto own = runs_on(runs, gpu);
    if (groups_of(own).size() < 2) continue;
    sum += fit_both(own, coefficients).fixed_s;
    ++many;
  }
  return many == 0 ? 0 : sum / many;
}

}  // namespace

training_coefficients nemo(std::string_view gpu, const training_coefficients& a100) {
  constexpr double half = 0.5;
  auto c = a100;
  c.gpu = gpu;
  c.bf16_efficiency = 0.78;
  c.tensor_overlap = half;
  c.tensor_backward_overlap = half;
  c.pipeline_overlap = 1;
  c.half_size = measured_half_size(gpu, "bf16");
  c.fp8_half_size = measured_half_size(gpu, "fp8");
  c.launch_s = measured_floor_s(gpu, "fp8");
  return c;
}

training_coefficients fit_mlperf(std::span<const measured_run> runs,
                                 const training_coefficients& coefficients, std::string_view gpu,
                                 std::string_view nearest) {
  const auto own = runs_on(runs, gpu);
  auto c = coefficients;
  if (own.empty() && gpu != nearest) {
    c = fit_mlperf(runs, coefficients, nearest, nearest);
  } else if (groups_of(own).size() >= 2) {
    c = fit_both(own, coefficients);
  } else {
    c = fit_efficiency(own, coefficients, usual_fixed_s(runs, coefficients));
  }
  c.gpu = gpu;
  return c;
}

}  // namespace ridge::plan::train
