// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <limits>
#include <string>

#include <ridge/base/result.hpp>

namespace ridge {

// Returns all bytes of a file, unchanged. It also reads files whose size is not known beforehand (/proc,
// pipes). The error names the path and the reason: the file is missing, is a folder, may not be read, or is
// larger than `most_bytes`.
[[nodiscard]] result<std::string> read_file(const std::filesystem::path& path,
                                            std::size_t most_bytes = std::numeric_limits<std::size_t>::max());

}  // namespace ridge
