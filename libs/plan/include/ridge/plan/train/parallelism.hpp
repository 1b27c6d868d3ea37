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

// How to spread the training of a model over GPUs.
struct parallelism_question {
  model_shape model{};
  std::int64_t global_batch = 0;  // 0: usual_global_batch of the most GPUs
  std::int64_t sequence = 0;      // 0: what the model takes, at most 8192
  std::vector<std::string> compute_types{"bf16"};
  accelerator gpu{};
  interconnect links{};
  training_coefficients coefficients{};
  memory_settings memory{};  // fp8 keeps its activations in fp8, whatever this says
  double usable_bytes = 0;   // of a GPU's memory; 0: all of it
  std::vector<std::int64_t> gpus{};
  search_space space{};
  objective by{objective::time};
  std::size_t top = 10;
  int threads = 0;
  double dollars_per_gpu_hour = 0;  // 0: unknown
  std::string price_source{};
  double tokens = 0;  // of the whole run; 0: nothing said of it
  reliability failures{};
  double power_usage = 1;
};

// A plan with all that is known of it.
struct evaluated_plan {
  scored_plan of{};
  std::string compute_type{};
  step_time time{};
  rank_memory memory{};
  bool fits = true;
  double dollars_per_million_tokens = 0;  // computing alone; 0: no price
  goodput kept{};
  std::optional<run_estimate> run{};
};

// What one limit costs: the best plan of the objective without it.
struct relaxation {
  std::string limit{};  // "memory"
  std::string what{};   // "memory of a GPU without end"
  evaluated_plan best{};
  double gain = 0;   // share of the objective's score that it would save; 0: the limit does not bind
  double slack = 0;  // share of the limit that the best plan within it leaves
};

struct parallelism_answer {
  training_job job{};  // of the first compute type
  search_result search{};
  std::vector<evaluated_plan> plans{};  // best first
  std::vector<evaluated_plan> front{};
  std::optional<evaluated_plan> nearest{};  // where nothing fits: what needs least memory
  std::vector<relaxation> limits{};         // the one that binds most first
  double usable_bytes = 0;
};

// A sequence for every 8 GPUs, at least 128: what Llama 3 405B had on 16,384 GPUs (Grattafiori et al., 2024,
// table 4).
[[nodiscard]] std::int64_t usual_global_batch(std::int64_t gpus);

// Failures of Llama 3 405B's training: 419 unexpected interruptions in 54 days on 16,384 H100 (Grattafiori et
// al., 2024, section 3.3.4), as mean time between failures of one GPU; saving in 15 s and restarting in 300 s
// are assumed, which gives the more than 90 % of effective time that they report.
[[nodiscard]] reliability usual_reliability();

// Searches, and evaluates in full what it found. The error names what is wrong with the question.
[[nodiscard]] result<parallelism_answer> plan_parallelism(const parallelism_question& q,
                                                          const search_progress& progress = {});

// How the figures of one plan come about: memory, step time, and the run where there is one.
[[nodiscard]] derivation explain(const parallelism_question& q, const parallelism_answer& a,
                                 const evaluated_plan& p);

}  // namespace ridge::plan::train
