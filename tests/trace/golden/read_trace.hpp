// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include <ridge/trace/trace.hpp>

namespace ridge::trace::golden {

// Returns the traces of a file of the data folder, by rank. Throws std::runtime_error where it cannot be
// read.
[[nodiscard]] std::vector<trace> read_traces(const std::string& path);
[[nodiscard]] trace read_trace(const std::string& path);  // the first of them

}  // namespace ridge::trace::golden
