// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace ridge::app {

// Draws an SVG as a PNG file with `scale` dots for each of its units. It uses librsvg and cairo, which are
// opened when this is called. Throws unavailable where they are missing, io_failure where the file cannot be
// written, and failure where the SVG cannot be drawn.
void save_png(std::string_view svg, const std::string& path, double scale = 2);

}  // namespace ridge::app
