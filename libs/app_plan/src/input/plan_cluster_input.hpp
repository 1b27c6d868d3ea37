// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include <ridge/base/result.hpp>
#include <ridge/plan/cluster_sizing.hpp>
#include <ridge/plan/replica_offers.hpp>

#include "input/plan_input.hpp"
#include "input/plan_prices.hpp"
#include "input/plan_step_timer.hpp"

namespace ridge::app_plan {

// The options of `ridge plan cluster`.
struct cluster_input_choice {
  model_choice model{};
  gpu_choice hardware{};  // only the file
  std::vector<std::string> gpus{};
  price_choice prices{};
  step_timer_choice timer{};
  double rate = 0, peak = 1;
  std::string input{"1024"}, output{"256"};
  std::string ttft{"500ms"}, tpot{"40ms"};
  double quantile = 0.95, headroom = 0.2;
  int spares = 1, max_tensor = 8;
  int max_sequences = 0, max_step_tokens = 0;  // 0: the engine's
  bool disaggregate = false;
  std::int64_t gpu_budget = 64;
  std::string link{"50"};
};

// Adds all of them to the command.
void add_cluster_input(app::command& command, cluster_input_choice& choice);

// The question that they ask, with the offers to choose from.
struct cluster_asked {
  std::string model{};
  plan::serving_load load{};
  plan::latency_objective slo{};
  plan::replica_policy policy{};
  std::vector<plan::replica_offer> offers{};
  std::vector<plan::accelerator> offered_gpus{};  // of each offer
  plan::served_model served{};
  std::vector<std::string> doubts{};  // of the model
  std::vector<std::string> notes{};
};
// The error names the option that is wrong.
[[nodiscard]] result<cluster_asked> cluster_question_of(const cluster_input_choice& c);
// Whether --gpu names several kinds that have a price, so that a mix of them may be cheaper.
[[nodiscard]] bool has_several_kinds(const cluster_asked& asked);
// The link of --link between replicas of two offers, of which so many decode. The error is that of the link.
[[nodiscard]] result<plan::serve::disaggregation_settings> link_between(const cluster_asked& asked,
                                                                        const std::string& link,
                                                                        std::size_t prefill,
                                                                        std::size_t decode, int decoding);

}  // namespace ridge::app_plan
