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

void fill_in(std::string_view page, const std::function<void(std::string_view piece)>& put,
             const std::function<void(std::string_view)>& out) {
  for (;;) {
    const auto open = page.find("{{"), close = page.find("}}", open);
    out(page.substr(0, open));
    if (open == std::string_view::npos) return;
    put(page.substr(open + 2, close - open - 2));
    page.remove_prefix(close + 2);
  }
}

}  // namespace ridge::trace_report
