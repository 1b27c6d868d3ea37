// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include <ridge/base/result.hpp>

namespace ridge::plan {

constexpr std::size_t largest_config_bytes = std::size_t{8} << 20;

// The text of a file of at most 8 MiB. The error names the file and the reason.
[[nodiscard]] result<std::string> read_config_text(const std::filesystem::path& file);

// Parses one JSON object, nested at most 64 deep. NaN and Infinity, which Python writes, are read as strings.
// The error names `file`.
[[nodiscard]] result<nlohmann::json> parse_config_text(std::string_view text, std::string_view file);

}  // namespace ridge::plan
