// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "plan_order.hpp"

namespace ridge::plan::train {

// The best plans, best first, up to a number.
class best_plans {
 public:
  explicit best_plans(std::size_t most) : most_(most) {}
  void offer(const ranked_plan& p);
  [[nodiscard]] const std::vector<ranked_plan>& all() const { return all_; }

 private:
  std::size_t most_;
  std::vector<ranked_plan> all_{};
};

// Pareto-optimal plans in time and memory on one number of GPUs, in order of increasing time and decreasing
// memory. Of equal plans the better by the total order is kept.
class plan_front {
 public:
  void offer(const ranked_plan& p);
  [[nodiscard]] const std::vector<ranked_plan>& all() const { return all_; }

 private:
  std::vector<ranked_plan> all_{};
};

// Removes plans that another one on no more GPUs equals or beats in time and memory. In order of GPUs, then
// time.
[[nodiscard]] std::vector<scored_plan> undominated(std::vector<ranked_plan> all);

}  // namespace ridge::plan::train
