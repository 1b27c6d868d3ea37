// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <ridge/trace/flame.hpp>

namespace ridge::trace_report {

// How to draw a flame graph.
struct flame_picture {
  std::string title{};
  bool samples = false;  // the weights are samples, not nanoseconds
  std::size_t frames =
      20'000;  // number of widest frames that are drawn; the picture says how many were left out
};

// Returns a flame graph as one self-contained SVG: the root on top, widths by weight, the widest child first,
// one tooltip per frame. In a browser a click zooms and a search marks frames (also by "#search=TEXT"). Names
// are escaped and cut after 600 characters.
[[nodiscard]] std::string flame_svg(const trace::flame_tree& tree, const flame_picture& layout = {});

// Returns a flame graph of a difference: red frames grew in total weight, blue ones shrank. A frame's width
// is the larger of its own weights before and after plus its children's, so that stacks that vanished stay
// visible.
[[nodiscard]] std::string flame_svg(const std::vector<trace::flame_diff_node>& diff,
                                    const flame_picture& layout = {});

}  // namespace ridge::trace_report
