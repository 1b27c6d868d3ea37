// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include <ridge/base/result.hpp>
#include <ridge/plan/model_shape.hpp>

namespace ridge::plan {

// How a model is spread over GPUs. World size: tensor · pipeline · context · data. Experts are spread over
// `expert` of the tensor · context · data GPUs of a stage; `expert_tensor` of them share one expert.
struct parallel_layout {
  int tensor = 1, pipeline = 1, virtual_pipeline = 1, context = 1, data = 1;
  int expert = 1, expert_tensor = 1;
  bool data_parallel_attention =
      false;  // each of the tensor ranks has its own sequences (SGLang, vLLM for MLA)

  [[nodiscard]] std::int64_t gpus() const;
  [[nodiscard]] std::string text() const;  // "TP 8, PP 4, VP 5, DP 16"; parts of 1 left out
  bool operator==(const parallel_layout&) const = default;
};

// Whether the model can be cut so: heads by tensor ranks, layers by stages, experts by ranks. Layers may also
// divide when embedding, head and prediction layers are counted as layers (126 of Llama 3.1 405B into 8 · 8).
// The error names which number does not divide which.
[[nodiscard]] result<void> check_layout(const model_shape& m, const parallel_layout& l);

}  // namespace ridge::plan
