// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include <ridge/base/result.hpp>
#include <ridge/plan/train/parallelism.hpp>

namespace ridge::plan::train {

// A rule of thumb: tensor and data ranks for models of a size, and the memory per GPU that it states.
struct layout_rule {
  std::string models{};  // "1-10B"
  int tensor = 1, data = 1;
  double least_gb = 0, most_gb = 0;  // decimal; most 0: no limit
  std::string example{};             // an embedded model of that size
  std::size_t layers = 0;            // number of its layers to use; 0: all
};

// The usual rules: <1B TP 1 DP 8, 1-10B TP 2 DP 4, 10-30B TP 4 DP 2, 30-100B TP 8 DP 1 on 8 GPUs; 100B and
// more TP 8 DP N on 8 N, here 128.
[[nodiscard]] const std::vector<layout_rule>& usual_layout_rules();

// A rule compared with the models of memory and time.
struct checked_rule {
  layout_rule rule{};
  std::int64_t gpus = 0;
  double weights_bytes = 0;  // bf16 weights of one rank, to compare with the memory that the rule states
  evaluated_plan
      by_rule{};  // the best plan with TP and DP of the rule; when none fits, the one that needs least
  std::optional<evaluated_plan> best{};  // the best of all plans on as many GPUs
  double slower = 0;  // step time of the rule over the best, minus 1; 0 when either does not fit
  std::string why{};  // how and why they differ
};

// Checks all usual rules with the GPU, links, settings and types of the question; its model, GPUs and space
// are not used. The sequence defaults to 4096 tokens, the batch to 64 sequences or one per GPU. The errors
// are plan_parallelism()'s.
[[nodiscard]] result<std::vector<checked_rule>> check_layout_rules(const parallelism_question& question);

}  // namespace ridge::plan::train
