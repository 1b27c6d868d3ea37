// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace ridge::trace_report {

void append_leb128(std::string& output, std::uint64_t n);
// Returns the zigzag code, under which small magnitudes of either sign become small numbers: 0, -1, 1, -2 ...
// become 0, 1, 2, 3 ...
[[nodiscard]] std::uint64_t zigzag(std::int64_t n);
// Returns base64 with padding (RFC 4648).
[[nodiscard]] std::string base64(std::string_view bytes);

}  // namespace ridge::trace_report
