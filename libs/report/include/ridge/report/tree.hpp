// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <ridge/model/machine_tree.hpp>
#include <ridge/report/table.hpp>

namespace ridge::report {

// Returns a machine as a tree of lines: names are joined by box-drawing lines, and the facts of each ("memory
// 64 GiB") follow its name; they start in one column among siblings and are wrapped between facts. A matrix
// is drawn as one, its columns headed by the names of its rows' facts. No line is wider than
// `layout.columns`, unless a single fact is.
[[nodiscard]] std::string tree_text(const model::machine_node& machine, const layout& layout = {});

}  // namespace ridge::report
