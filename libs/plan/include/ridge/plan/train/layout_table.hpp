// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include <ridge/base/result.hpp>
#include <ridge/plan/train/parallelism.hpp>

namespace ridge::plan::train {

// A rule of thumb: tensor and data ranks by the size of a model, and the memory a GPU it promises.
struct layout_rule {
  std::string models{};  // "1-10B"
  int tensor = 1, data = 1;
  double least_gb = 0, most_gb = 0;  // decimal; most 0: no end
  std::string example{};             // a model inside the program of that size
  std::size_t layers = 0;            // only so many of its layers; 0: all
};

// <1B TP 1 DP 8, 1-10B TP 2 DP 4, 10-30B TP 4 DP 2, 30-100B TP 8 DP 1 on 8 GPUs; 100B and more TP 8 DP N on
// 8 N, here 128.
[[nodiscard]] const std::vector<layout_rule>& usual_layout_rules();

// A rule held against the models of memory and time.
struct checked_rule {
  layout_rule rule{};
  std::int64_t gpus = 0;
  double weights_bytes = 0;  // bf16 weights of a rank alone: what the rule's memory can be compared with
  evaluated_plan
      by_rule{};  // the rule's TP and DP with the best of everything else; or what fits least badly
  std::optional<evaluated_plan> best{};  // of all plans on as many GPUs
  double slower = 0;  // step of the rule over that of the best - 1; 0 where either does not fit
  std::string why{};  // where and why they differ
};

// Asks for training with the question's GPU, links, settings and types; its model, GPUs and space are not
// used. The sequence defaults to 4096, the batch to 64 sequences, or a sequence a GPU.
[[nodiscard]] result<std::vector<checked_rule>> check_layout_rules(const parallelism_question& with);

}  // namespace ridge::plan::train
