// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

namespace ridge::app {

// The parts of the catalogue: chapters ch01..ch20 and the labs, in order.
struct chapter {
  std::string_view id{};  // "ch01", "labs.engine"
  std::string_view title{};
};
[[nodiscard]] const std::vector<chapter>& chapters();

// The chapter an experiment belongs to: "ch01" of "ch01.coalescing", "labs.engine" of
// "labs.engine.serve_load".
[[nodiscard]] std::string_view chapter_of(std::string_view experiment_id);

}  // namespace ridge::app
