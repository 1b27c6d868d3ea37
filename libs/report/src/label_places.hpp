// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "roofline_frame.hpp"

namespace ridge::report {

// Finds room for texts among what is drawn already: everything is a chain of discs, texts too.
class label_places final {
 public:
  struct disc {
    spot at{};
    double radius = 0;
  };

  void block(spot position, double radius) { discs_.push_back({position, radius}); }

  // A line from a to b, which texts had better not cross.
  void block_line(spot a, spot b);

  // How much of this is covered already: overlaps, summed.
  [[nodiscard]] double covered(std::span<const disc> discs) const;

  // A text of `length` along a line from `a` to `b`, its middle as near as room allows to the share `wanted`
  // of the way; blocks its place and returns the middle.
  spot along(spot a, spot b, double length, double wanted);

  // A short text beside a mark of this radius; blocks its place and returns its middle.
  spot beside(spot mark, double radius, double length, double width, double height);

 private:
  std::vector<disc> discs_{};
};

}  // namespace ridge::report
