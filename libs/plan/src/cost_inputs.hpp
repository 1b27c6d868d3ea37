// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>

#include <ridge/plan/cost.hpp>

namespace ridge::plan {

// An input of cost_per_token() that is never known exactly.
struct cost_input {
  std::string_view name{}, label{}, unit{};
  double (*get)(const cost_question& q) = nullptr;  // 0: this question does not have it
  void (*set)(cost_question& q, double value) = nullptr;
  double least = 0, most = 0;  // what it can be; most 0: anything
};

[[nodiscard]] std::span<const cost_input> cost_inputs();

// Half-width of its band, as a share: the question's own, else the 20 % of every input.
[[nodiscard]] double half_width(const cost_question& q, const cost_input& of);

// Kept within what it can be.
[[nodiscard]] double possible(const cost_input& of, double value);

}  // namespace ridge::plan
