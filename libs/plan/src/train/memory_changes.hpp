// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include <ridge/plan/train/training_memory.hpp>

namespace ridge::plan::train {

// A plan with one change.
struct memory_change {
  std::string description{};
  training_plan plan{};
  memory_settings settings{};
  std::string caution{};
};

// All single changes that are possible: layouts that divide the model and batches that divide evenly, on the
// same number of GPUs.
[[nodiscard]] std::vector<memory_change> changes_of(const training_job& job, const memory_settings& settings,
                                                    const training_plan& plan);
// The same plan on more GPUs.
[[nodiscard]] std::vector<memory_change> enlargements_of(const training_job& job,
                                                         const memory_settings& settings,
                                                         const training_plan& plan, int factor);

}  // namespace ridge::plan::train
