// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include <ridge/base/result.hpp>
#include <ridge/plan/cluster.hpp>

#include "input/plan_input.hpp"
#include "input/plan_prices.hpp"
#include "input/plan_step_timer.hpp"

namespace ridge::app_plan {

// What `ridge plan cluster` is told.
struct cluster_input_choice {
  model_choice model{};
  gpu_choice hardware{};  // the file alone
  std::vector<std::string> gpus{};
  price_choice prices{};
  step_timer_choice timer{};
  double rate = 0, peak = 1;
  std::string input{"1024"}, output{"256"};
  std::string ttft{"500ms"}, tpot{"40ms"};
  double quantile = 0.95, headroom = 0.2;
  int spares = 1, max_sequences = 256, max_step_tokens = 8192, max_tensor = 8;
};

void add_cluster_input(app::command& to, cluster_input_choice& of);

struct cluster_asked {
  std::string model{};
  plan::serving_load load{};
  plan::latency_objective slo{};
  plan::replica_policy policy{};
  std::vector<plan::replica_offer> offers{};
  std::vector<std::string> notes{};
};
[[nodiscard]] result<cluster_asked> cluster_question_of(const cluster_input_choice& c);

}  // namespace ridge::app_plan
