// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <ridge/trace/importer.hpp>
#include <ridge/trace/open.hpp>

namespace ridge::trace {

// Calls open() with every importer that reads files of `data`, without a cache unless the options name its
// folder.
[[nodiscard]] result<opened_traces> open_data(const std::string& path, open_options options = {});

}  // namespace ridge::trace
