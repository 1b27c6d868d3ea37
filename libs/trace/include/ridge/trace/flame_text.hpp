// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <ridge/trace/flame.hpp>

namespace ridge::trace {

// Returns the tree as Brendan Gregg's collapsed stacks: one line "outer;inner 42" per node with self > 0, in
// the tree's order. ';' and line breaks in names become ':' and ' '. The root's own weight is left out.
[[nodiscard]] std::string collapsed(const flame_tree& tree);
// Returns the tree of collapsed stacks; lines without a weight at their end are skipped.
[[nodiscard]] flame_tree flame_of_collapsed(std::string_view text);

// Returns a difference as difffolded.pl writes it: one line "outer;inner 40 42" per node.
[[nodiscard]] std::string collapsed(const std::vector<flame_diff_node>& diff);

}  // namespace ridge::trace
