// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include <ridge/analysis/whatif.hpp>
#include <ridge/base/result.hpp>
#include <ridge/model/run.hpp>
#include <ridge/plan/accelerator.hpp>
#include <ridge/plan/model_shape.hpp>

namespace ridge::analysis {

// A GPU that could be used, and what an hour of it costs.
struct gpu_offer {
  plan::accelerator gpu{};
  std::optional<double> usd_per_hour{};
};

// A model to be served, and what may be changed about how. Empty lists: what the model and the GPUs allow.
struct deployment_question {
  plan::model_shape model{};
  std::vector<gpu_offer> gpus{};
  double input_tokens = 1024, output_tokens = 256;
  std::vector<int> tensor{};                  // 1, 2, 4, 8 within the GPUs' own links
  std::vector<std::string> weight_formats{};  // the checkpoint's, fp8, int4_g128
  std::vector<std::string> kv_formats{};      // bf16, fp8
  std::vector<int> batches{};                 // 1, 2, 4 ... 256 sequences at once
};

// Every way of serving it, evaluated by plan: "vram", "ttft", "ttft.p95", "tpot", "latency", "throughput",
// "gpus", and "cost" where a price is known, "power" and "energy" where the GPU's power was fitted, "quality"
// (0) where no weight or key is narrower than in the checkpoint: what narrower ones cost in quality is not
// known here. A way that does not fit into the GPU keeps its "vram" alone.
[[nodiscard]] result<std::vector<candidate>> deployments(const deployment_question& q);

// What was measured in a run: "latency" (time of a call), "vram" (peak bytes on the device), "throughput"
// (items a second), "energy", each variant once; skipped and refused ones are left out.
[[nodiscard]] std::vector<candidate> measured_candidates(const model::run& r);

}  // namespace ridge::analysis
