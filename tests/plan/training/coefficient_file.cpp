// SPDX-License-Identifier: Apache-2.0
#include "coefficient_file.hpp"

#include <cmath>

#include <nlohmann/json.hpp>

namespace ridge::plan::train {
namespace {

using json = nlohmann::ordered_json;

// Four digits: more than the measurements have.
double rounded(double x) {
  if (x == 0) return 0;
  const double unit = std::pow(10.0, 3 - std::floor(std::log10(std::abs(x))));
  return std::round(x * unit) / unit;
}

json of(const training_coefficients& c) {
  return {{"gpu", c.gpu},
          {"bf16_efficiency", rounded(c.bf16_efficiency)},
          {"fp8_efficiency", rounded(c.fp8_efficiency)},
          {"attention_efficiency", rounded(c.attention_efficiency)},
          {"bandwidth_efficiency", rounded(c.bandwidth_efficiency)},
          {"half_size", rounded(c.half_size)},
          {"fp8_half_size", rounded(c.fp8_half_size)},
          {"launch_s", rounded(c.launch_s)},
          {"tensor_overlap", c.tensor_overlap},
          {"tensor_backward_overlap", c.tensor_backward_overlap},
          {"context_overlap", c.context_overlap},
          {"expert_overlap", c.expert_overlap},
          {"pipeline_overlap", c.pipeline_overlap},
          {"data_overlap", c.data_overlap},
          {"fixed_s", rounded(c.fixed_s)},
          {"straggler_sigma", c.straggler_sigma},
          {"source", c.source},
          {"date", c.date},
          {"rows", c.rows},
          {"fit_error", rounded(c.fit_error)},
          {"held_out_error", rounded(c.held_out_error)},
          {"band", rounded(c.band)}};
}

}  // namespace

std::string coefficient_file(std::span<const training_coefficients> all) {
  json gpus = json::array();
  for (const auto& c : all) gpus.push_back(of(c));
  return json{{"schema", "ridge.plan.training/1"}, {"gpus", gpus}}.dump(2) + "\n";
}

}  // namespace ridge::plan::train
