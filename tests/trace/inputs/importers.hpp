// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <ridge/trace/importer.hpp>
#include <ridge/trace/open.hpp>

namespace ridge::trace {

// open() with every importer that reads files of `data`; no cache unless the options name its folder.
[[nodiscard]] result<opened_traces> open_data(const std::string& path, open_options options = {});

}  // namespace ridge::trace
