// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "exchange/assignment.hpp"

#define RIDGE_JUDGE_HOST
#include <ridge/judge/candidate.h>

namespace ridge::judge {

// The problems of an assignment as the interface of candidates describes them, one for each member of the
// memory. It points into the assignment and the mappings, which outlive it.
class problem_table final {
 public:
  problem_table(const assignment& given, std::span<std::byte> inputs, std::span<std::byte> outputs);
  problem_table(const problem_table&) = delete;
  problem_table& operator=(const problem_table&) = delete;

  // The problems, in the order of the members.
  [[nodiscard]] const std::vector<ridge_problem>& problems() const { return problems_; }

 private:
  std::vector<ridge_parameter> parameters_;
  std::vector<ridge_array> arrays_;
  std::vector<ridge_problem> problems_;
};

}  // namespace ridge::judge
