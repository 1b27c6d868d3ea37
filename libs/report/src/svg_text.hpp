// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include <fmt/format.h>

#include "roofline_frame.hpp"

namespace ridge::report {

// The elements of a drawing, styled by classes, one per line. Coordinates are rounded to a tenth.
class svg_drawing final {
 public:
  void line(std::string_view style, svg_point start, svg_point end);
  void path(std::string_view style, std::string_view d);
  void rect(std::string_view style, svg_point corner, double width, double height);
  // Draws a round, square, diamond or triangle mark, all of about the same area; `says` appears under the
  // pointer.
  void mark(std::string_view style, std::string_view shape, svg_point position, double radius,
            std::string_view says);
  // Draws text anchored at its "start", "middle" or "end" and turned anticlockwise by `degrees` about its
  // anchor.
  void text(std::string_view style, svg_point position, std::string_view words,
            std::string_view anchor = "start", double degrees = 0);
  void open_group(svg_point moved_to);
  void close_group();
  [[nodiscard]] std::string take() && { return std::move(text_); }

 private:
  std::string text_{};
};

}  // namespace ridge::report
