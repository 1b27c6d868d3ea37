// SPDX-License-Identifier: Apache-2.0
#include "a100_fit.hpp"

#include <cmath>

#include "kernel_shares.hpp"
#include "megatron.hpp"
#include "minimize.hpp"

namespace ridge::plan::train {
namespace {

training_coefficients with(const std::vector<double>& found, double half_size) {
  training_coefficients c;
  c.gpu = "A100 SXM 80 GB";
  c.bf16_efficiency = found[0];
  c.bandwidth_efficiency = found[1];
  c.attention_efficiency = found[2];
  c.half_size = half_size;
  c.launch_s = measured_floor_s("H100 SXM", "bf16");
  c.tensor_backward_overlap = megatron_2022_backward_overlap;
  return c;
}

}  // namespace

training_coefficients fit_a100(std::span<const measured_run> runs) {
  const double half_size = measured_half_size("H100 SXM", "bf16");
  const std::vector<unknown> unknowns{{0.8, 0.5, 0.96}, {0.8, 0.5, 0.95}, {0.5, 0.2, 0.8}};
  const auto off = [&](const std::vector<double>& x) { return squared_log_error(runs, with(x, half_size)); };
  return with(minimize(off, unknowns), half_size);
}

}  // namespace ridge::plan::train
