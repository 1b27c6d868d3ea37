// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace ridge::backends::trace_pftrace {

// Returns the packets that a packet holds compressed (zlib's format); nullopt where they are damaged or more
// than `most` bytes.
[[nodiscard]] std::optional<std::string> inflated(std::string_view packed, std::uint64_t most);

}  // namespace ridge::backends::trace_pftrace
