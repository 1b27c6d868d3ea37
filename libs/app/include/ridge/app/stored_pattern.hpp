// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace ridge::app {

// Returns the glob of the store for what was typed: the one experiment of this program that it names, a
// chapter, or a glob over whatever is stored. `known` holds the ids of the experiments that it names.
[[nodiscard]] std::string stored_pattern(const std::string& typed, const std::vector<std::string>& known);

}  // namespace ridge::app
