// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ridge/trace/importer.hpp>

namespace ridge::backends::trace_rocprof_json {

// Returns the importer of what `rocprofv3 --output-format json` writes; it holds the text in memory. It
// must come before an importer that accepts any JSON.
[[nodiscard]] const trace::importer& rocprof_json();

}  // namespace ridge::backends::trace_rocprof_json
