// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include <ridge/trace/trace.hpp>

namespace ridge::trace::fixtures {

// Returns the trace of a data file, read as users' files are. Throws std::runtime_error where it cannot be
// read.
[[nodiscard]] trace opened(const std::string& path);

// Calls `check` with the figures and the trace of each available file of a golden file, and returns how many
// there were.
int for_each_golden(const std::string& golden, const std::string& folder,
                    const std::function<void(const nlohmann::json&, const trace&)>& check);

}  // namespace ridge::trace::fixtures
