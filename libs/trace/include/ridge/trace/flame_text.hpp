// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <ridge/trace/flame.hpp>

namespace ridge::trace {

// Brendan Gregg's collapsed stacks: "outer;inner 42\n" a node with self > 0, in the tree's order. ';' and
// line breaks in names become ':' and ' '. The root's own self is left out.
[[nodiscard]] std::string collapsed(const flame_tree& tree);
// The tree of such a text; lines without a weight at their end are skipped.
[[nodiscard]] flame_tree flame_of_collapsed(std::string_view text);

// "outer;inner 40 42\n": what difffolded.pl writes.
[[nodiscard]] std::string collapsed(const std::vector<flame_diff_node>& diff);

}  // namespace ridge::trace
