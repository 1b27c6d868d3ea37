// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <ridge/base/result.hpp>
#include <ridge/plan/accelerator.hpp>
#include <ridge/plan/figure.hpp>
#include <ridge/plan/interconnect.hpp>
#include <ridge/plan/train/goodput.hpp>
#include <ridge/plan/train/memory_settings.hpp>
#include <ridge/plan/train/rank_memory.hpp>
#include <ridge/plan/train/search.hpp>
#include <ridge/plan/train/step_time.hpp>

namespace ridge::plan::train {

// A question for the best plan to train a model on so many GPUs.
struct parallelism_question {
  model_shape model{};
  std::int64_t global_batch = 0;  // 0: usual_global_batch() of the largest number of GPUs
  std::int64_t sequence = 0;      // 0: usual_sequence()
  std::vector<std::string> compute_types{"bf16"};
  accelerator gpu{};
  interconnect links{};
  training_coefficients coefficients{};
  state_formats formats{};   // absent ones follow each compute type: settings_for()
  memory_settings memory{};  // all but the formats
  double usable_bytes = 0;   // usable memory per GPU; 0: all of it
  std::vector<std::int64_t> gpus{};
  search_space space{};
  train::objective objective{train::objective::time};
  std::size_t top = 10;
  int threads = 0;
  double dollars_per_gpu_hour = 0;  // 0: unknown
  std::string price_source{};
  double tokens = 0;  // of the whole run; 0: the run is not estimated
  reliability failures{};
  double power_usage = 1;
};

// A plan with its evaluation.
struct evaluated_plan {
  scored_plan scored{};
  std::string compute_type{};
  step_time time{};
  rank_memory memory{};
  bool fits = true;
  double dollars_per_million_tokens = 0;  // without failures; 0: no price
  goodput kept{};
  std::optional<run_estimate> run{};
};

// The cost of one limit: the best plan without it.
struct relaxation {
  std::string limit{};        // "memory"
  std::string description{};  // "with unlimited memory per GPU"
  evaluated_plan best{};
  double gain = 0;   // relative saving in the objective's score without the limit; 0: it does not bind
  double slack = 0;  // share of the limit that the best plan within it leaves unused
};

// The best plans and how they compare.
struct parallelism_answer {
  training_job job{};  // job with the first compute type
  search_result search{};
  std::vector<evaluated_plan> plans{};  // best first
  std::vector<evaluated_plan> front{};
  std::optional<evaluated_plan> nearest{};  // when nothing fits: the plan with the least memory
  std::vector<relaxation> limits{};         // the most binding limit first
  double usable_bytes = 0;
};

// One sequence per 8 GPUs, at least 128: the batch of Llama 3 405B on 16,384 GPUs (Grattafiori et al., 2024,
// table 4).
[[nodiscard]] std::int64_t usual_global_batch(std::int64_t gpus);
// The same for one plan: the next batch that its data-parallel ranks, micro-batches and, interleaved,
// pipeline divide.
[[nodiscard]] std::int64_t usual_global_batch(const training_plan& plan);
// The longest sequence that the model supports, at most 8192 tokens.
[[nodiscard]] std::int64_t usual_sequence(const model_shape& model);

// Failure rate of the training of Llama 3 405B: 419 unexpected interruptions in 54 days on 16,384 H100
// (Grattafiori et al., 2024, section 3.3.4), as mean time between failures per GPU. Saving in 15 s and
// restarting in 300 s are assumptions that reproduce the reported effective training time of more than 90 %.
[[nodiscard]] reliability usual_reliability();

// Searches the space and evaluates the plans found in full. The error names the member of the question that
// is out of range, or the axis on which no value is left.
[[nodiscard]] result<parallelism_answer> plan_parallelism(const parallelism_question& q,
                                                          const search_progress& progress = {});

// The derivation of the figures of one plan: memory, step time, and the run when there is one.
[[nodiscard]] derivation explain(const parallelism_question& q, const parallelism_answer& a,
                                 const evaluated_plan& p);

}  // namespace ridge::plan::train
