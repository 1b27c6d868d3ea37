// SPDX-License-Identifier: Apache-2.0
#include "embedded_file.hpp"

#include <ridge/base/expects.hpp>

#include "trace_report_data.hpp"

namespace ridge::trace_report {

std::string_view embedded_text(std::string_view name) {
  for (const auto& file : trace_report_data()) {
    if (file.name == name) return file.text;
  }
  expects(false, "a file of data/");
  return {};
}

}  // namespace ridge::trace_report
