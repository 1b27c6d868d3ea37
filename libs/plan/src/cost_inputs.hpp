// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>

#include <ridge/plan/cost.hpp>

namespace ridge::plan {

// An input of cost_per_token() that is never known exactly.
struct cost_input {
  std::string_view name{}, label{}, unit{};
  double (*get)(const cost_question& q) = nullptr;  // 0: the question does not use this input
  void (*set)(cost_question& q, double value) = nullptr;
  double least = 0, most = 0;  // range of the input; most 0: no upper limit
};

[[nodiscard]] std::span<const cost_input> cost_inputs();

// Relative half-width of its band: the one in the question, else 20 %.
[[nodiscard]] double half_width(const cost_question& q, const cost_input& input);

// The value limited to the range of the input.
[[nodiscard]] double possible(const cost_input& input, double value);

}  // namespace ridge::plan
