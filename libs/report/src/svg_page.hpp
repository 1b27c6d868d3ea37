// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace ridge::report {

// Returns a whole SVG of this size around the elements of a drawing, with the styles of all charts; light or
// dark as the system of the reader is.
[[nodiscard]] std::string svg_page(std::string_view title, double width, double height,
                                   std::string_view elements);

// Returns an svg element without rules or namespace, for an HTML page that holds svg_rules() in its style
// element.
[[nodiscard]] std::string svg_element(std::string_view title, double width, double height,
                                      std::string_view elements);
// Returns the rules of all drawings, for light and dark pages.
[[nodiscard]] std::string_view svg_rules();

}  // namespace ridge::report
