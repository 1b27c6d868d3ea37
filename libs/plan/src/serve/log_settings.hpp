// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include <ridge/plan/serve/engine_log.hpp>

namespace ridge::plan::serve {

// Reads meta.json into the settings, names and doubts of a log. `blocks` above 0 count instead of the file's.
[[nodiscard]] result<void> read_log_settings(const std::filesystem::path& file, std::uint32_t blocks,
                                             engine_log& log);

}  // namespace ridge::plan::serve
