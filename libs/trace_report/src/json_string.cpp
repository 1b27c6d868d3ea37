// SPDX-License-Identifier: Apache-2.0
#include "json_string.hpp"

#include <nlohmann/json.hpp>

namespace ridge::trace_report {

void append_json_text(std::string& output, std::string_view text) {
  const bool plain = text.find_first_of("\"\\") == std::string_view::npos &&
                     std::ranges::all_of(text, [](char c) { return c >= ' ' && c < 127; });
  if (plain) {
    output += '"';
    output += text;
    output += '"';
  } else {
    output +=
        nlohmann::json(std::string(text)).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  }
}

}  // namespace ridge::trace_report
