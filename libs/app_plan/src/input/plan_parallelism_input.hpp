// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include <ridge/app/command.hpp>
#include <ridge/base/result.hpp>
#include <ridge/plan/train/parallelism.hpp>

#include "input/plan_input.hpp"
#include "input/plan_state_options.hpp"

namespace ridge::app_plan {

// The options of `ridge plan parallelism`.
struct parallelism_input {
  model_choice model{};
  gpu_choice gpu{.name = "H100"};
  std::string gpus{}, topology{}, dtype{"bf16"}, zero{}, recompute{}, schedule{"1f1b"},
      sequence_parallel{"on"}, fixed{};
  std::string objective{"time"};
  state_options states{};
  std::int64_t global_batch = 0, sequence = 0, node_size = 0, max_tp = 0, top = 10;
  int threads = 0;
  double port_gigabits_per_s = 400, tokens = 0, power_usage = 1;
  bool tensor_across_nodes = false, recompute_latent = false, check_table = false;
  std::optional<double> mtbf_hours{}, checkpoint_s{}, restart_s{}, price{};
};

// Adds all of them to the command.
void add_parallelism_input(app::command& command, parallelism_input& input);

// The question that the options ask. The error names the option that is wrong.
[[nodiscard]] result<plan::train::parallelism_question> question_of(const parallelism_input& input);

// The same without model and GPUs, since --check-table has its own.
[[nodiscard]] result<plan::train::parallelism_question> table_question_of(const parallelism_input& input);

}  // namespace ridge::app_plan
