// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <ridge/base/result.hpp>
#include <ridge/plan/accelerator.hpp>
#include <ridge/plan/figure.hpp>
#include <ridge/plan/model_shape.hpp>
#include <ridge/plan/parallel_layout.hpp>
#include <ridge/plan/serve/cluster.hpp>

namespace ridge::plan::serve {

// One replica of a service, as its operator describes it.
struct replica_question {
  model_shape model{};
  accelerator gpu{};
  parallel_layout layout{};     // each data-parallel rank is an engine of its own
  std::string engine{"vllm"};   // "vllm", "sglang", "trtllm", "static"
  std::string weight_format{};  // empty: the checkpoint's
  std::string kv_format{"bf16"};
  engine_settings settings{};           // blocks 0: by the engine's memory rule
  double utilization = 0;               // share of memory; 0: the engine's default
  std::filesystem::path profile{};      // measured layers, instead of kernel times
  std::filesystem::path tables{};       // measured kernel tables; empty: fitted coefficients
  std::filesystem::path calibration{};  // what `ridge plan calibrate` found; empty: none
  double usd_per_gpu_hour = 0;          // 0: unknown
  double busy_w = 0, idle_w = 0;        // of a GPU; 0: unknown
};

struct replica_plan {
  replica_pool pool{};            // of one engine: `replicas` is the layout's data-parallel ranks
  double kv_bytes_per_token = 0;  // of one engine, all its GPUs
  derivation how{};
  std::string times{};  // where step times come from
};

// Timer, blocks and scheduler of it. The error says what cannot be: a layout that does not divide the model,
// weights that do not fit, a format that nothing is known of.
[[nodiscard]] result<replica_plan> plan_replica(const replica_question& q);

}  // namespace ridge::plan::serve
