// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

#include <ridge/base/result.hpp>

namespace ridge::plan::serve {

// The error names the file and what the system says.
[[nodiscard]] result<std::string> whole_file(const std::filesystem::path& file);

}  // namespace ridge::plan::serve
