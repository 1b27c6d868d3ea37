// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include <ridge/plan/cache_fit.hpp>
#include <ridge/plan/kv_cache.hpp>
#include <ridge/report/document.hpp>

namespace ridge::plan_report {

// A sized KV cache, and its fit into a GPU when one was named.
struct kv_cache_answer {
  plan::model_shape model{};
  plan::kv_question question{};
  plan::kv_cache cache{};
  std::optional<plan::kv_cache>
      grouped{};  // comparison with 8 key-value heads of 128, when they were not given
  std::string gpu{};
  std::optional<plan::engine_budget_question> engine{};
  std::optional<plan::cache_fit> fit{};
};

// "ridge.plan.kv-cache/1": sizes of the cache, what fits on the GPU, and the steps of the engine's memory
// rule.
[[nodiscard]] report::document kv_cache_page(const kv_cache_answer& a);
// All figures behind the answer, in bytes.
[[nodiscard]] plan::derivation kv_cache_derivation(const kv_cache_answer& a);

}  // namespace ridge::plan_report
