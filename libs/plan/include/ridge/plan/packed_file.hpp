// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

#include <ridge/base/result.hpp>

namespace ridge::plan {

// The text of a file; one that begins as gzip does is inflated, whatever its name. The error names the file
// and what the system says, that the gzip stream is broken, or that the text has more than `most_bytes`.
// A gzip file may be several members one after another; bytes after the last that begin no member are left
// out.
[[nodiscard]] result<std::string> packed_file(const std::filesystem::path& path,
                                              std::size_t most_bytes = std::size_t{1} << 32);

// Returns `path` where it exists, else `path` with ".gz" appended where that exists, else `path`: the name
// under which a file that may be kept compressed is found.
[[nodiscard]] std::filesystem::path plain_or_packed(const std::filesystem::path& path);

}  // namespace ridge::plan
