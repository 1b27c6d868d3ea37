// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace ridge::app {

// "90" or "90s" -> 90, "500ms" -> 0.5, "2m" or "2min" -> 120, "1h"; above zero. Nothing when it is no time.
[[nodiscard]] std::optional<double> parse_seconds(std::string_view text);

// "1%" or "0.01" -> 0.01; above 0, below 1. Nothing when it is no share.
[[nodiscard]] std::optional<double> parse_share(std::string_view text);

// "8GiB", "512M", "2G" (binary multiples, whatever their spelling) -> bytes; above zero. Nothing when it is
// no size.
[[nodiscard]] std::optional<std::uint64_t> parse_bytes(std::string_view text);

// The same as validators of the parser: a complaint, or nothing.
[[nodiscard]] std::string is_duration(const std::string& text);
[[nodiscard]] std::string is_share(const std::string& text);
[[nodiscard]] std::string is_size(const std::string& text);

// Writes a whole file, or stdout for "-". Throws io_failure.
void save_text(const std::string& path, std::string_view text);

}  // namespace ridge::app
