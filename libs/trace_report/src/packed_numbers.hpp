// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace ridge::trace_report {

void append_leb128(std::string& to, std::uint64_t n);
// Small magnitudes of either sign become small numbers: 0, -1, 1, -2 ... -> 0, 1, 2, 3 ...
[[nodiscard]] std::uint64_t zigzag(std::int64_t n);
// RFC 4648, padded.
[[nodiscard]] std::string base64(std::string_view bytes);

}  // namespace ridge::trace_report
