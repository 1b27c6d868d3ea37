// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <ridge/trace/flame.hpp>

namespace ridge::trace_report {

struct flame_picture {
  std::string title{};
  bool samples = false;         // the weights are samples, not nanoseconds
  std::size_t frames = 20'000;  // the widest are drawn; the picture says how many were left out
};

// A flame graph as one SVG that needs nothing else: the root on top, widths by weight, the widest child
// first, a tooltip a frame. In a browser a click zooms, a search marks frames ("#search=TEXT" too). Names are
// escaped, and cut after 600 characters.
[[nodiscard]] std::string flame_svg(const trace::flame_tree& tree, const flame_picture& as = {});

// What changed: red grew, blue shrank, by total. A frame is as wide as the larger of its own weights before
// and after, and its children: stacks that are gone stay visible.
[[nodiscard]] std::string flame_svg(const std::vector<trace::flame_diff_node>& diff,
                                    const flame_picture& as = {});

}  // namespace ridge::trace_report
