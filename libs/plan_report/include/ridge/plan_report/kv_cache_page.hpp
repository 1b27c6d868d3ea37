// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include <ridge/plan/cache_fit.hpp>
#include <ridge/plan/kv_cache.hpp>
#include <ridge/report/document.hpp>

namespace ridge::plan_report {

struct kv_cache_answer {
  plan::model_shape model{};
  plan::kv_question question{};
  plan::kv_cache cache{};
  std::optional<plan::kv_cache> grouped{};  // beside it, where key-value heads were not given: 8 of 128
  std::string gpu{};
  std::optional<plan::engine_budget_question> engine{};
  std::optional<plan::cache_fit> fit{};
};

[[nodiscard]] report::document kv_cache_page(const kv_cache_answer& a);
[[nodiscard]] plan::derivation kv_cache_derivation(const kv_cache_answer& a);

}  // namespace ridge::plan_report
