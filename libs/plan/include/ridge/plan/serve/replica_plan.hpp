// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <ridge/base/result.hpp>
#include <ridge/plan/accelerator.hpp>
#include <ridge/plan/adapters.hpp>
#include <ridge/plan/figure.hpp>
#include <ridge/plan/kernels/efficiency.hpp>
#include <ridge/plan/kernels/engine_profile.hpp>
#include <ridge/plan/model_shape.hpp>
#include <ridge/plan/parallel_layout.hpp>
#include <ridge/plan/serve/draft_timer.hpp>
#include <ridge/plan/serve/prediction_band.hpp>
#include <ridge/plan/serve/simulated_cluster.hpp>

namespace ridge::plan::serve {

// Memory below the GPUs of one engine that keeps blocks of its KV cache.
struct tier_choice {
  double cpu_bytes = 0;                     // of all its GPUs together; 0: none
  std::optional<double> cpu_bytes_per_s{};  // per GPU; none: the catalogue's link, as far as copies reach it
  double ssd_bytes = 0;
  std::optional<double> ssd_bytes_per_s{};  // of all its GPUs together
};

// The images of every request.
struct image_choice {
  std::int64_t count = 0;                    // 0: none
  std::int64_t width = 1024, height = 1024;  // pixels
};

// One replica of a service, as its operator describes it.
struct replica_question {
  model_shape model{};
  accelerator gpu{};
  parallel_layout layout{};     // each data-parallel rank is a separate engine
  std::string engine{"vllm"};   // "vllm", "sglang", "trtllm", "static"
  std::string weight_format{};  // empty: that of the checkpoint
  std::string kv_format{"bf16"};
  // Constants of the engine; none: those that ship under its name, static batching using those of vllm.
  std::optional<kernels::engine_profile> constants{};
  // Coefficients of kernels, which must outlive the plan; null: those that ship.
  const kernels::efficiency_catalogue* efficiencies = nullptr;
  // 0 blocks: by the engine's memory rule; 0 batched tokens or sequences: the engine's.
  engine_settings settings{};
  tier_choice tiers{};
  adapter_choice adapters{};
  image_choice images{};
  draft_choice draft{};                 // with speculative tokens: what drafts them
  double utilization = 0;               // share of memory; 0: the default of the engine
  std::filesystem::path profile{};      // folder of measured layers, used instead of kernel times
  std::filesystem::path tables{};       // folder of measured kernel tables; empty: fitted coefficients
  std::filesystem::path calibration{};  // profile that `ridge plan calibrate` wrote; empty: none
  bool any_calibration = false;         // take it although it was fitted to another deployment
  double usd_per_gpu_hour = 0;          // 0: unknown
  double busy_w = 0, idle_w = 0;        // per GPU; 0: unknown
};

// A replica that can be simulated.
struct replica_plan {
  replica_pool pool{};            // one engine; `replicas` is the number of data-parallel ranks
  double kv_bytes_per_token = 0;  // per engine, all its GPUs together
  plan::derivation derivation{};
  std::string times{};  // source of the step times
  prediction_bands bands{};
};

// The question with what it leaves to its engine: constants, and by engine_steps_of() tokens and sequences of
// a step and the share of memory. Engines spread
// the experts of a layer over all their GPUs, data-parallel ranks included: `expert` groups, whose GPUs
// divide each expert. The error names an engine that is not known.
[[nodiscard]] result<replica_question> completed(const replica_question& question);

// Determines timer, blocks and scheduler of a replica. The error names what rules it out: a layout that does
// not divide the model, weights that do not fit, an unknown format.
[[nodiscard]] result<replica_plan> plan_replica(const replica_question& question);

// Whether plan_replica() fails because weights and a step leave no room for a KV cache.
[[nodiscard]] bool lacks_memory(const replica_question& question);

}  // namespace ridge::plan::serve
