// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include <ridge/trace/trace.hpp>

namespace ridge::backends::trace_rocpd {

// Returns the text given to roctx that the JSON beside an event holds as "message"; "" where there is none.
[[nodiscard]] std::string message_in(std::string_view extra);

// Returns what the JSON beside an agent says of a GPU; nothing where it is no JSON.
[[nodiscard]] trace::device_facts agent_facts(std::string_view extra);

}  // namespace ridge::backends::trace_rocpd
