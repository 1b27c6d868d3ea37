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
#include <ridge/plan/kernels/efficiency.hpp>
#include <ridge/plan/model_shape.hpp>

namespace ridge::analysis {

// A GPU that may be used, and its price per hour.
struct gpu_offer {
  plan::accelerator gpu{};
  std::optional<double> usd_per_hour{};
  // Coefficients of its kernels, which must outlive the answer; null: those that ship.
  const plan::kernels::efficiency_catalogue* efficiencies = nullptr;
};

// Whether this is a GPU of so many bytes of memory: equal to 1.5 %, or as "24 GB" is said of 24 GiB.
[[nodiscard]] bool has_memory(const plan::accelerator& gpu, double bytes);

// A model to be served, and the settings to try. An empty list means all values that the model and the GPUs
// allow.
struct deployment_question {
  plan::model_shape model{};
  std::vector<gpu_offer> gpus{};
  double input_tokens = 1024, output_tokens = 256;
  std::vector<int> tensor{};                  // 1, 2, 4, 8: over PCIe where GPUs have no links of their own
  std::vector<std::string> weight_formats{};  // the checkpoint's, fp8, int4_g128
  std::vector<std::string> kv_formats{};      // bf16, fp8
  std::vector<int> batches{};                 // 1, 2, 4 ... 256 sequences at once
};

// All deployments of the model with their values: "vram", "ttft", "ttft.p95", "tpot", "latency",
// "throughput", "gpus", "cost" when a price is known, "power" and "energy" when the GPU has a power model,
// and "quality" (0) when no weight or key is narrower than in the checkpoint; the loss by narrower ones is
// not known here. A deployment that does not fit into the GPU has only "vram". The error names the member of
// the question that is out of range.
[[nodiscard]] result<std::vector<candidate>> deployments(const deployment_question& q);

// The variants measured in a run, each once: "latency" (time of a call), "vram" (peak bytes on the device),
// "throughput" (items per second), "energy". Skipped and refused variants are left out.
[[nodiscard]] std::vector<candidate> measured_candidates(const model::run& r);

}  // namespace ridge::analysis
