// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include <ridge/plan/inference_memory.hpp>
#include <ridge/plan/train/memory_advice.hpp>
#include <ridge/report/document.hpp>

namespace ridge::plan_report {

// Memory of training on every pipeline stage.
struct training_memory_answer {
  plan::train::training_job job{};
  plan::train::memory_settings settings{};
  plan::train::training_plan plan{};
  std::string gpu{};
  double capacity_bytes = 0;
  std::vector<plan::train::rank_memory> stages{};
  std::vector<plan::train::step_phase> timeline{};
  std::vector<plan::train::memory_advice> advice{};  // when it does not fit, or barely
};

// Memory of serving on every pipeline stage.
struct inference_memory_answer {
  plan::inference_setup setup{};
  plan::inference_load load{};
  std::string gpu{};
  double capacity_bytes = 0;
  std::vector<plan::inference_rank> ranks{};
  plan::inference_capacity capacity{};
  std::vector<plan::inference_advice> advice{};
};

// A rank that needs more than this share of its GPU fits only barely.
inline constexpr double barely = 0.9;

// "ridge.plan.memory/1": memory by stage and use, and advice when it does not fit.
[[nodiscard]] report::document training_memory_page(const training_memory_answer& a);
[[nodiscard]] report::document inference_memory_page(const inference_memory_answer& a);

}  // namespace ridge::plan_report
