// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

namespace ridge {

// Returns the folder for temporary files: TMPDIR, or what else the system names, else /tmp. Throws failure
// where that is no folder.
[[nodiscard]] std::filesystem::path temporary_folder();

}  // namespace ridge
