// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <ridge/base/result.hpp>
#include <ridge/plan/engine_budget.hpp>
#include <ridge/plan/figure.hpp>

namespace ridge::plan {

// How a batch's cache stands against what an engine leaves for it.
struct cache_fit {
  engine_budget budget{};
  cache_capacity capacity{};
  bool fits = false;
  std::int64_t most_sequences = 0;  // of the question's length
  std::int64_t longest_tokens = 0;  // at the question's batch
  double share_needed = 0;          // above 1: no share suffices
  int tensor_ranks_needed = 0;      // 1, 2, 4, ... 64; 0: none suffices
  derivation how{};
};

// `q.weight_bytes` of one GPU, `all_weight_bytes` of the model.
[[nodiscard]] result<cache_fit> fit_cache(const model_shape& m, const kv_question& k,
                                          const engine_budget_question& q, double all_weight_bytes);

}  // namespace ridge::plan
