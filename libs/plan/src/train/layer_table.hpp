// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "layer_time.hpp"

namespace ridge::plan::train {

// Seconds of the mean layer of a model, of its head and of its embedding.
struct model_seconds {
  layer_seconds layer{}, head{}, embedding{};
};

// The usual divisions, powers of two, computed once; others are computed when they are needed.
class layer_table final {
 public:
  explicit layer_table(const layer_clock& clock);
  [[nodiscard]] model_seconds at(const layer_clock& clock, const layer_division& d) const;

 private:
  std::vector<model_seconds> cells_;
};

class expert_table final {
 public:
  explicit expert_table(const layer_clock& clock);
  [[nodiscard]] expert_seconds at(const layer_clock& clock, const expert_division& d) const;

 private:
  bool empty_ = true;  // a model without experts
  std::vector<expert_seconds> cells_;
};

}  // namespace ridge::plan::train
