// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "as_real.hpp"
#include "inference_parts.hpp"

namespace ridge::plan {
namespace {

std::int64_t sequences_a_replica(const inference_setup& s, const inference_load& load) {
  const auto replicas = replicas_of(s.layout);
  return (load.sequences + replicas - 1) / replicas;
}

double cache_needed(const inference_setup& s, const inference_rank& r, const inference_load& load) {
  return as_real(sequences_a_replica(s, load)) *
         sequence_bytes(r.cache, load.sequence_tokens, s.block_tokens);
}

cache_capacity held_by(const inference_setup& s, const inference_rank& r, double budget,
                       const inference_load& load) {
  return capacity_of(r.cache, capacity_question{.budget_bytes = budget,
                                                .block_tokens = s.block_tokens,
                                                .sequence_tokens = load.sequence_tokens,
                                                .step_tokens = s.max_batched_tokens});
}

}  // namespace

std::int64_t replicas_of(const parallel_layout& l) {
  return std::int64_t{l.data} * (l.data_parallel_attention ? l.tensor : 1);
}

// vLLM takes its memory snapshot after the start of CUDA and NCCL (v1/worker/gpu_worker.py, init_device), so
// their memory lies in the share that the engine leaves.
engine_budget_question budget_question_of(const inference_setup& s, const inference_rank& r,
                                          double gpu_bytes) {
  const bool outside = s.engine == cache_engine::vllm;
  return {.engine = s.engine,
          .gpu_bytes = gpu_bytes,
          .share = s.utilization != 0 ? s.utilization : default_share(s.engine),
          .weight_bytes = r.weights_bytes(),
          .activation_bytes = r.activations_bytes(),
          .graph_bytes = r.cuda_graph_bytes,
          .context_bytes = r.runtime_bytes + (outside ? 0 : r.context_bytes)};
}

std::vector<budget_step> budget_steps(const inference_setup& s, const inference_rank& rank,
                                      double gpu_bytes) {
  const auto budget = engine_budget_of(budget_question_of(s, rank, gpu_bytes));
  return budget ? budget->steps : std::vector<budget_step>{};
}

result<inference_capacity> capacity_of(const inference_setup& s, const std::vector<inference_rank>& ranks,
                                       double gpu_bytes, const inference_load& load) {
  constexpr std::int64_t most = std::int64_t{1} << 40;
  const auto [fewest, largest] = std::minmax(load.sequences, load.sequence_tokens);
  if (fewest < 1 || largest > most)
    return error{fmt::format("{} sequences of {} tokens", load.sequences, load.sequence_tokens),
                 "give 1 or more of both, at most 2^40"};
  inference_capacity least{.fits = true};
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    const auto budget = engine_budget_of(budget_question_of(s, ranks[i], gpu_bytes));
    if (!budget) return budget.why();
    inference_capacity here{
        .stage = i, .budget_bytes = budget->bytes, .lacking_bytes = budget->lacking_bytes};
    here.needed_bytes = cache_needed(s, ranks[i], load);
    if (!ranks[i].cache.empty()) {
      const auto held = held_by(s, ranks[i], budget->bytes, load);
      here.tokens = held.tokens;
      here.sequences = static_cast<std::int64_t>(std::floor(held.concurrency));
    }
    here.fits = least.fits && here.spare_bytes() >= 0;
    const bool fits = here.fits;
    if (i == 0 || here.spare_bytes() < least.spare_bytes()) least = here;
    least.fits = fits;
  }
  return least;
}

}  // namespace ridge::plan
