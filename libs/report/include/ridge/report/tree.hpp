// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <ridge/model/machine_tree.hpp>
#include <ridge/report/table.hpp>

namespace ridge::report {

// A machine as a tree of lines: names joined by box-drawing lines, behind each its facts ("memory 64 GiB"),
// which start in one column among siblings and are wrapped between facts. A matrix is drawn as one, its
// columns headed by the names of its rows' facts. No line is wider than `in.columns`, unless one fact alone
// is.
[[nodiscard]] std::string tree_text(const model::machine_node& machine, const layout& layout = {});

}  // namespace ridge::report
