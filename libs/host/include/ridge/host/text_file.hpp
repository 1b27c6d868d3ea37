// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace ridge::host {

// Returns the whole text of a small file (sysfs, procfs), trimmed; nothing when it cannot be read.
[[nodiscard]] std::optional<std::string> read_text(const std::filesystem::path& path);

// Returns a whole decimal number; nothing when the text is anything else.
[[nodiscard]] std::optional<long long> to_number(std::string_view text);
// Returns the whole decimal number in a file; nothing when it cannot be read or holds anything else.
[[nodiscard]] std::optional<long long> read_number(const std::filesystem::path& path);

// Returns the value after `key` and a colon on a line of its own ("MemTotal:  24 kB" gives "24 kB"); empty
// when there is none.
[[nodiscard]] std::string_view value_after(std::string_view text, std::string_view key);

// Returns the bytes that a text such as "24 kB", "2048K", "480M", "1G" or "4096" names; nothing for any other
// text.
[[nodiscard]] std::optional<std::size_t> to_bytes(std::string_view text);

// Returns the word in brackets: "always [madvise] never" gives "madvise"; empty when there are no brackets.
[[nodiscard]] std::string_view chosen_in_brackets(std::string_view text);

}  // namespace ridge::host
