// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include <ridge/trace/trace.hpp>

namespace ridge::backends::trace_chrome_json {

// What a member of the root object, `value` in JSON, says of the whole trace. Unknown members and those that
// cannot be read say nothing.
void take_root_field(std::string_view key, std::string_view value, trace::trace& into);

}  // namespace ridge::backends::trace_chrome_json
