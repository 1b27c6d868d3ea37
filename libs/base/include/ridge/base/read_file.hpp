// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <limits>
#include <string>

#include <ridge/base/result.hpp>

namespace ridge {

// All bytes of a file, unchanged; also of files whose size is not known before they are read (/proc, pipes).
// The error names the path and why it cannot be read: it is missing, a folder, refused, or larger than
// `most_bytes`.
[[nodiscard]] result<std::string> read_file(const std::filesystem::path& path,
                                            std::size_t most_bytes = std::numeric_limits<std::size_t>::max());

}  // namespace ridge
