// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <ridge/base/result.hpp>
#include <ridge/plan/accelerator.hpp>
#include <ridge/plan/cluster_sizing.hpp>
#include <ridge/plan/model_shape.hpp>
#include <ridge/plan/parallel_layout.hpp>
#include <ridge/plan/serve/iteration.hpp>

namespace ridge::plan {

// A model and the formats in which it is served.
struct served_model {
  model_shape model{};
  std::string weight_format{};  // empty: that of the checkpoint
  std::string kv_format{"bf16"};
};

// Power draw of serving GPUs over their power limit: median and minimum of 838 runs of the ML.ENERGY
// benchmark on H100 and B200.
inline constexpr double usual_draw = 0.7, least_draw = 0.27;

// Makes the step timer of a GPU and layout; the error says why there is none.
using step_timers = std::function<result<std::shared_ptr<const serve::iteration_timer>>(
    const accelerator&, const parallel_layout&)>;

// Describes a replica of `tensor` GPUs. When it cannot be built (the model cannot be divided so, does not
// fit, or a figure of the GPU is unknown), replica_offer::refused says why. `request_tokens` counts prompt
// and answer of the longest request.
[[nodiscard]] replica_offer replica_of(const served_model& m, const accelerator& gpu, int tensor,
                                       double usd_per_gpu_hour, const replica_policy& p,
                                       double request_tokens, const step_timers& timers);

// Powers of two from 1 to `most` within the GPU's scale-up domain (8 over PCIe).
[[nodiscard]] std::vector<int> tensor_degrees(const accelerator& gpu, int most = 8);

}  // namespace ridge::plan
