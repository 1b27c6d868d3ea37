// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <ridge/base/result.hpp>
#include <ridge/plan/accelerator.hpp>
#include <ridge/plan/cluster.hpp>
#include <ridge/plan/model_shape.hpp>
#include <ridge/plan/parallel_layout.hpp>
#include <ridge/plan/serve/iteration.hpp>

namespace ridge::plan {

// A model as it is to be served.
struct served_model {
  model_shape model{};
  std::string weight_format{};  // empty: the checkpoint's
  std::string kv_format{"bf16"};
};

// Draw of GPUs that serve, as shares of their limit: median and least of 838 runs of the ML.ENERGY benchmark
// on H100 and B200.
inline constexpr double usual_draw = 0.7, least_draw = 0.27;

// Times of steps on so many GPUs; the error says why there are none.
using step_timers = std::function<result<std::shared_ptr<const serve::iteration_timer>>(
    const accelerator&, const parallel_layout&)>;

// A replica of `tensor` GPUs. Where it cannot be built (the model cannot be cut so, does not fit, or a figure
// of the GPU is unknown), the offer says why. `request_tokens`: prompt and answer of the longest request.
[[nodiscard]] replica_offer replica_of(const served_model& m, const accelerator& gpu, int tensor,
                                       double usd_per_gpu_hour, const replica_policy& p,
                                       double request_tokens, const step_timers& timers);

// Powers of two from 1 to `most` that the GPU's links allow: the scale-up domain; 8 over PCIe.
[[nodiscard]] std::vector<int> tensor_degrees(const accelerator& gpu, int most = 8);

}  // namespace ridge::plan
