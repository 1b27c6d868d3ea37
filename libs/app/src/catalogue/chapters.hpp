// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

namespace ridge::app {

// A part of the catalogue: a chapter or a lab.
struct chapter {
  std::string_view id{};  // "ch01", "labs.engine"
  std::string_view title{};
};
// Returns chapters ch01..ch20 and the labs, in order.
[[nodiscard]] const std::vector<chapter>& chapters();

// Returns the chapter of an experiment: "ch01" for "ch01.coalescing", "labs.engine" for
// "labs.engine.serve_load".
[[nodiscard]] std::string_view chapter_of(std::string_view experiment_id);

}  // namespace ridge::app
