// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <string>

#include <ridge/report/roofline.hpp>

#include "roofline_panel.hpp"
#include "svg_page.hpp"

namespace ridge::report {

std::string roofline_svg(const model::roofline& of) {
  svg_drawing drawing;
  double y = 12;
  for (const auto& c : of.charts) {
    panel one(c);
    one.draw(drawing, {12, y}, of);
    y += one.height() + 24;
  }
  return svg_page("Roofline of " + of.machine, panel_width() + 24, std::max(y, 40.0),
                  std::move(drawing).take());
}

}  // namespace ridge::report
