// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace ridge::report {

// Returns a whole SVG of this size around the elements of a drawing, with the styles of all charts; light or
// dark as the system of the reader is.
[[nodiscard]] std::string svg_page(std::string_view title, double width, double height,
                                   std::string_view elements);

}  // namespace ridge::report
