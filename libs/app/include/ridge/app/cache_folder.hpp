// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

namespace ridge::app {

// Returns $XDG_CACHE_HOME/ridge, else ~/.cache/ridge; the temporary folder where neither can be created.
[[nodiscard]] std::filesystem::path cache_folder();

}  // namespace ridge::app
