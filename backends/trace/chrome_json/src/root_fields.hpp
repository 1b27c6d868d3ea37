// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include <ridge/trace/trace.hpp>

namespace ridge::backends::trace_chrome_json {

// Applies a member of the root object to the trace; `value` is its JSON text. Unknown members and those that
// cannot be read are ignored.
void take_root_field(std::string_view key, std::string_view value, trace::trace& target);

}  // namespace ridge::backends::trace_chrome_json
