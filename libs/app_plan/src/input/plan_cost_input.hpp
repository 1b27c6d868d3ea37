// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <ridge/base/result.hpp>
#include <ridge/plan/cost.hpp>

#include "input/plan_input.hpp"
#include "input/plan_prices.hpp"
#include "input/plan_step_timer.hpp"

namespace ridge::app_plan {

// The options of `ridge plan cost-per-token`.
struct cost_input_choice {
  gpu_choice gpu{};
  price_choice prices{};
  model_choice model{};
  step_timer_choice timer{};
  std::optional<double> gpus{};
  std::optional<double> avg_power_w{}, idle_power_w{}, electricity_usd_per_kwh{}, throughput{};
  double pue = 1.5, carbon_g_per_kwh = 0;
  std::optional<double> gpu_hour_usd{}, own_usd{}, interruption_hours{}, reserved{};
  bool spot = false;
  double lost_minutes = 10;
  double years = 4, interest = 0.08, residual = 0, colocation = 0, staff = 0;
  double utilization = 1, goodput = 1, batch_utilization = 0;
  std::optional<double> prefill_per_s{}, cached_per_s{}, decode_per_s{}, input{}, output{};
  double cached = 0;
  std::int64_t batch = 64, tensor = 1;
  std::int64_t drafted = 0;
  double acceptance = 0.7, draft_cost = 0.05, verify_cost = 0;
  std::optional<double> api{}, api_input{}, api_output{};
  std::vector<std::string> bands{};  // "usd_per_kwh=0.5"
};

// Adds all of them to the command.
void add_cost_input(app::command& command, cost_input_choice& choice);

// The question that they ask.
struct cost_asked {
  plan::cost_question question{};
  std::int64_t kv_tokens = 0;         // that the cache of one engine holds; 0: no model is given
  std::vector<std::string> doubts{};  // of the model
  std::vector<std::string> notes{};   // values assumed for options that were not given
};
// The error names the option that is wrong.
[[nodiscard]] result<cost_asked> cost_question_of(const cost_input_choice& c);
// Whether cost_question_of() fails because the batch does not fit into the memory of its GPUs.
[[nodiscard]] bool lacks_memory(const cost_input_choice& c);

}  // namespace ridge::app_plan
