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

// A file's text, at most 8 MiB of it. The error names the file and what it is instead.
[[nodiscard]] result<std::string> read_config_text(const std::filesystem::path& file);

// One JSON object, nested at most 64 deep. Python's NaN and Infinity read as texts. The error names `file`.
[[nodiscard]] result<nlohmann::json> parse_config_text(std::string_view text, std::string_view file);

}  // namespace ridge::plan
