// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include <ridge/base/result.hpp>
#include <ridge/plan/model_shape.hpp>

namespace ridge::plan {

// How a model is divided among GPUs, in ranks of each kind. The experts of a stage are divided among `expert`
// of its tensor · context · data GPUs; `expert_tensor` GPUs share one expert.
struct parallel_layout {
  int tensor = 1, pipeline = 1, virtual_pipeline = 1, context = 1, data = 1;
  int expert = 1, expert_tensor = 1;
  bool data_parallel_attention = false;  // each tensor rank has its own sequences (SGLang, vLLM for MLA)

  // World size: tensor · pipeline · context · data.
  [[nodiscard]] std::int64_t gpus() const;
  [[nodiscard]] std::string text() const;  // "TP 8, PP 4, VP 5, DP 16"; parts of 1 left out
  bool operator==(const parallel_layout&) const = default;
};

// Checks that the model can be divided so: heads by tensor ranks, layers by stages, experts by ranks.
// Embedding, head and prediction layers may count as layers (the 126 of Llama 3.1 405B into 8 · 8 chunks).
// The error names the number that does not divide, and the one that it should divide.
[[nodiscard]] result<void> check_layout(const model_shape& m, const parallel_layout& l);

}  // namespace ridge::plan
