// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace ridge::trace_report {

// Appends the text as a JSON string, quotes included; bytes that are not UTF-8 become U+FFFD.
void append_json_text(std::string& output, std::string_view text);

}  // namespace ridge::trace_report
