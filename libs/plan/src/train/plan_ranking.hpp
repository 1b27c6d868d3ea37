// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "plan_order.hpp"

namespace ridge::plan::train {

// The best so many plans, best first.
class best_plans {
 public:
  explicit best_plans(std::size_t most) : most_(most) {}
  void offer(const ranked_plan& p);
  [[nodiscard]] const std::vector<ranked_plan>& all() const { return all_; }

 private:
  std::size_t most_;
  std::vector<ranked_plan> all_{};
};

// Plans of one number of GPUs of which none is beaten in time and memory: time rises, memory falls. Of equals
// the better by the total order stays.
class plan_front {
 public:
  void offer(const ranked_plan& p);
  [[nodiscard]] const std::vector<ranked_plan>& all() const { return all_; }

 private:
  std::vector<ranked_plan> all_{};
};

// Without those that a plan of no more GPUs equals or beats in time and memory. By GPUs, then time.
[[nodiscard]] std::vector<scored_plan> undominated(std::vector<ranked_plan> all);

}  // namespace ridge::plan::train
