// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace ridge::plan::serve {

// The whole text as a finite number; empty when it is not one.
[[nodiscard]] std::optional<double> parse_number(std::string_view text);
// The whole text as an integer; "12.0" is one.
[[nodiscard]] std::optional<std::int64_t> parse_whole(std::string_view text);

// "2023-11-16 18:15:46.6805900", with T or a space, up to nine decimals, and an optional Z, as nanoseconds
// since 1970.
[[nodiscard]] std::optional<std::int64_t> parse_date_ns(std::string_view text);

}  // namespace ridge::plan::serve
