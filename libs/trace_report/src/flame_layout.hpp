// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace ridge::trace_report {

// A frame's position: `start` and `width` in units of the tree's weight; the root has depth 0.
struct flame_box {
  std::uint32_t node = 0;
  std::uint32_t depth = 0;
  std::int64_t start = 0;
  std::int64_t width = 0;
};

struct flame_layout {
  std::vector<flame_box> boxes{};  // parents before children
  std::uint32_t rows = 0;
  std::int64_t width = 0;
  std::size_t left_out = 0;  // frames with a width that are not among the boxes
};

// Places the `most` widest frames, children side by side below their parent, the widest first. `parents[0]`
// is not read; parents come before their children, and no frame is narrower than its children together.
[[nodiscard]] flame_layout lay_out(std::span<const std::uint32_t> parents,
                                   std::span<const std::int64_t> widths, std::size_t most);

}  // namespace ridge::trace_report
