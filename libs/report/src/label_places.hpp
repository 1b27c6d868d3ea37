// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "roofline_frame.hpp"

namespace ridge::report {

// Finds room for texts among what is already drawn; everything, texts included, is a chain of discs.
class label_places final {
 public:
  struct disc {
    svg_point center{};
    double radius = 0;
  };

  void block(svg_point position, double radius) { discs_.push_back({position, radius}); }

  // Blocks a line from a to b, which texts should not cross.
  void block_line(svg_point a, svg_point b);

  // Returns how much of this is already covered: the sum of the overlaps.
  [[nodiscard]] double covered(std::span<const disc> discs) const;

  // Places a text of `length` along a line from `a` to `b`, its middle as near as possible to the share
  // `wanted` of the way; blocks its place and returns the middle.
  svg_point along(svg_point a, svg_point b, double length, double wanted);

  // Places a short text beside a mark of this radius; blocks its place and returns its middle.
  svg_point beside(svg_point mark, double radius, double length, double width, double height);

 private:
  std::vector<disc> discs_{};
};

}  // namespace ridge::report
