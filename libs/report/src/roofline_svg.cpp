// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <string>

#include <ridge/report/roofline.hpp>

#include "roofline_panel.hpp"
#include "svg_page.hpp"

namespace ridge::report {

std::size_t kernels_left_out(const model::roofline& roofline, std::size_t most) {
  std::size_t sum = 0;
  for (const auto& c : roofline.charts)
    sum += placed_points(c, c.points.size()).size() - placed_points(c, most).size();
  return sum;
}

std::string roofline_svg(const model::roofline& roofline, std::size_t most) {
  svg_drawing drawing;
  double y = 12;
  for (const auto& c : roofline.charts) {
    panel one(c, most);
    one.draw(drawing, {12, y}, roofline);
    y += one.height() + 24;
  }
  return svg_page("Roofline of " + roofline.machine, panel_width() + 24, std::max(y, 40.0),
                  std::move(drawing).take());
}

}  // namespace ridge::report
