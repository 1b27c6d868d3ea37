// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include <ridge/base/result.hpp>
#include <ridge/plan/engine_budget.hpp>
#include <ridge/plan/figure.hpp>

namespace ridge::plan {

// The KV cache of a batch compared with the memory that an engine leaves for it.
struct cache_fit {
  engine_budget budget{};
  cache_capacity capacity{};
  bool fits = false;
  std::int64_t most_sequences = 0;  // sequences of the asked length that fit
  std::int64_t longest_tokens = 0;  // longest sequence that fits at the asked batch
  double share_needed = 0;      // share of GPU memory that the engine must take; above 1: no share suffices
  int tensor_ranks_needed = 0;  // fewest that suffice: 1, 2, 4, ... 64; 0: none does
  plan::derivation derivation{};
};

// What one GPU has for the cache, and what else its engine says of it.
struct cache_room {
  engine_budget_question memory{};  // `weight_bytes` are those on this GPU
  double all_weight_bytes = 0;      // of the whole model
  std::int64_t step_tokens = 0;     // most tokens of a step
  std::vector<kv_part> parts{};     // that the GPU keeps; empty: those of the GPU that keeps most
};

// Compares the cache that `k` asks for with the budget that the engine leaves. The error names the member of
// either that makes no sense.
[[nodiscard]] result<cache_fit> fit_cache(const model_shape& m, const kv_question& k, const cache_room& room);

}  // namespace ridge::plan
