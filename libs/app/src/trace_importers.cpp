// SPDX-License-Identifier: Apache-2.0
#include "trace_importers.hpp"

#include <array>

namespace ridge::backends::trace_chrome_json {
const trace::importer& chrome_json();
}

namespace ridge::app {

std::span<const trace::importer* const> trace_importers() {
  static const std::array<const trace::importer*, 1> all{&backends::trace_chrome_json::chrome_json()};
  return all;
}

}  // namespace ridge::app
