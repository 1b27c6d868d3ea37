// SPDX-License-Identifier: Apache-2.0
#include "svg_text.hpp"

#include <iterator>

#include <ridge/base/escape.hpp>

namespace ridge::report {
namespace {

std::string shape_of(std::string_view shape, svg_point c, double r) {
  if (shape == "square") {
    const double s = 0.886 * r;
    return fmt::format("M{:.1f} {:.1f}h{:.1f}v{:.1f}h{:.1f}z", c.x - s, c.y - s, 2 * s, 2 * s, -2 * s);
  }
  if (shape == "diamond") {
    const double s = 1.253 * r;
    return fmt::format("M{:.1f} {:.1f}l{:.1f} {:.1f}l{:.1f} {:.1f}l{:.1f} {:.1f}z", c.x - s, c.y, s, -s, s, s,
                       -s, s);
  }
  if (shape == "triangle") {
    const double s = 1.347 * r;
    return fmt::format("M{:.1f} {:.1f}h{:.1f}l{:.1f} {:.1f}z", c.x - s, c.y + 0.577 * s, 2 * s, -s,
                       -1.732 * s);
  }
  return fmt::format("M{:.1f} {:.1f}a{:.1f} {:.1f} 0 1 0 {:.1f} 0a{:.1f} {:.1f} 0 1 0 {:.1f} 0z", c.x - r,
                     c.y, r, r, 2 * r, r, r, -2 * r);
}

}  // namespace

void svg_drawing::line(std::string_view style, svg_point start, svg_point end) {
  fmt::format_to(std::back_inserter(text_),
                 "<line class=\"{}\" x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\"/>\n", style,
                 start.x, start.y, end.x, end.y);
}

void svg_drawing::path(std::string_view style, std::string_view d) {
  fmt::format_to(std::back_inserter(text_), "<path class=\"{}\" d=\"{}\"/>\n", style, d);
}

void svg_drawing::rect(std::string_view style, svg_point corner, double width, double height) {
  fmt::format_to(std::back_inserter(text_),
                 "<rect class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\"/>\n", style,
                 corner.x, corner.y, width, height);
}

void svg_drawing::mark(std::string_view style, std::string_view shape, svg_point position, double radius,
                       std::string_view says) {
  fmt::format_to(std::back_inserter(text_), "<path class=\"{}\" d=\"{}\"><title>{}</title></path>\n", style,
                 shape_of(shape, position, radius), markup_escaped(says));
}

void svg_drawing::text(std::string_view style, svg_point position, std::string_view words,
                       std::string_view anchor, double degrees) {
  const auto turn = degrees == 0 ? std::string()
                                 : fmt::format(" transform=\"rotate({:.1f} {:.1f} {:.1f})\"", -degrees,
                                               position.x, position.y);
  fmt::format_to(std::back_inserter(text_),
                 "<text class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\"{}>{}</text>\n", style,
                 position.x, position.y, anchor, turn, markup_escaped(words));
}

void svg_drawing::open_group(svg_point moved_to) {
  fmt::format_to(std::back_inserter(text_), "<g transform=\"translate({:.1f} {:.1f})\">\n", moved_to.x,
                 moved_to.y);
}

void svg_drawing::close_group() { text_ += "</g>\n"; }

}  // namespace ridge::report
