// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include <ridge/app/command.hpp>
#include <ridge/base/result.hpp>
#include <ridge/plan/train/parallelism.hpp>

#include "input/plan_input.hpp"

namespace ridge::app_plan {

// What `ridge plan parallelism` is told.
struct parallelism_input {
  model_choice model{};
  gpu_choice gpu{.name = "H100"};
  std::string gpus{}, topology{}, dtype{"bf16"}, zero{}, recompute{}, sequence_parallel{"on"}, fixed{};
  std::string objective{"time"};
  std::int64_t global_batch = 0, sequence = 0, node_size = 0, max_tp = 0, top = 10;
  int threads = 0;
  double port_gigabits_per_s = 400, tokens = 0, power_usage = 1;
  bool tensor_across_nodes = false, check_table = false;
  std::optional<double> mtbf_hours{}, checkpoint_s{}, restart_s{}, price{};
};

void add_parallelism_input(app::command& to, parallelism_input& of);

// The question in the library's words; the error names the option.
[[nodiscard]] result<plan::train::parallelism_question> question_of(const parallelism_input& in);

// The same without a model and GPUs: --check-table has its own.
[[nodiscard]] result<plan::train::parallelism_question> table_question_of(const parallelism_input& in);

}  // namespace ridge::app_plan
