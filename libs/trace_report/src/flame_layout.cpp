// SPDX-License-Identifier: Apache-2.0
#include "flame_layout.hpp"

#include <algorithm>

namespace ridge::trace_report {

flame_layout lay_out(std::span<const std::uint32_t> parents, std::span<const std::int64_t> widths,
                     std::size_t most) {
  flame_layout made;
  if (widths.empty()) return made;
  std::vector<std::uint32_t> order;
  for (std::uint32_t node = 1; node < widths.size(); ++node) {
    if (widths[node] > 0) order.push_back(node);
  }
  // A parent is at least as wide as its children and has a smaller number: it is placed before them.
  std::ranges::stable_sort(order, [&](auto a, auto b) { return widths[a] > widths[b]; });
  if (order.size() > most) {
    made.left_out = order.size() - most;
    order.resize(most);
  }
  std::vector<std::int64_t> next_start(widths.size(), 0);  // where the next child of a node starts
  std::vector<std::uint32_t> depth(widths.size(), 0);
  made.width = widths[0];
  made.boxes.push_back({.width = widths[0]});
  for (const auto node : order) {
    const auto parent = parents[node];
    depth[node] = depth[parent] + 1;
    next_start[node] = next_start[parent];
    made.boxes.push_back(
        {.node = node, .depth = depth[node], .start = next_start[parent], .width = widths[node]});
    next_start[parent] += widths[node];
    made.rows = std::max(made.rows, depth[node]);
  }
  ++made.rows;
  return made;
}

}  // namespace ridge::trace_report
