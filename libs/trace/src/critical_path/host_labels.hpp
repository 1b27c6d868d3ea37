// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "critical_path/host_names.hpp"
#include "critical_path/path_replay.hpp"

namespace ridge::trace {

// Returns the path with its host work divided by innermost event.
[[nodiscard]] std::vector<path_segment> with_host_labels(const trace& t, const path_pieces& pieces,
                                                         std::vector<walked_segment> walked);

}  // namespace ridge::trace
