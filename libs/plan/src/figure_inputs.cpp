// SPDX-License-Identifier: Apache-2.0
#include "figure_inputs.hpp"

#include <fmt/format.h>

#include <ridge/base/units.hpp>

namespace ridge::plan {

std::string exact_bytes(double bytes) { return fmt::format("{:.15g} B", bytes); }

std::string bytes_text(double bytes) { return format_quantity(bytes, "B", 4); }

}  // namespace ridge::plan
