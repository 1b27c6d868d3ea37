// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ridge/base/result.hpp>
#include <ridge/probe/gpu_facts.hpp>

namespace ridge::probe {

// Asks the drivers of GPUs for their properties. It takes up to seconds where a driver must first wake its
// GPUs.
class gpu_describer {
 public:
  virtual ~gpu_describer() = default;
  // Returns every GPU that this process may use, or why there is none. Opens no context, so nothing is
  // allocated on a GPU. Never throws for what a driver refuses.
  [[nodiscard]] virtual result<gpu_survey> describe() = 0;
};

}  // namespace ridge::probe
