// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace ridge::app {

// Reads a time in seconds, above zero: "90" or "90s" -> 90, "500ms" -> 0.5, "2m" or "2min" -> 120, "1h" ->
// 3600. Returns nothing for any other text.
[[nodiscard]] std::optional<double> parse_seconds(std::string_view text);

// Reads a share between 0 and 1: "1%" or "0.01" -> 0.01. Returns nothing for any other text.
[[nodiscard]] std::optional<double> parse_share(std::string_view text);

// Reads a size in bytes, above zero: "8GiB", "512M", "2G"; multiples are binary, whatever their spelling.
// Returns nothing for any other text.
[[nodiscard]] std::optional<std::uint64_t> parse_bytes(std::string_view text);

// Check such a text for the command line: return a complaint, or an empty text when it is right.
[[nodiscard]] std::string is_duration(const std::string& text);
[[nodiscard]] std::string is_share(const std::string& text);
[[nodiscard]] std::string is_size(const std::string& text);

// Return a figure and its limit with three digits, or with as many as tell them apart: {"2.012", "2"} where
// three digits would read "2.01" and "2.01". Equal numbers have equal texts.
[[nodiscard]] std::pair<std::string, std::string> told_apart(double value, double limit);

// Writes a whole file, or to stdout when the path is "-". Throws io_failure.
void save_text(const std::string& path, std::string_view text);

}  // namespace ridge::app
