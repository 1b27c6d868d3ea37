// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ridge/trace/importer.hpp>

namespace ridge::backends::trace_rocprof_json {

// Reads what `rocprofv3 --output-format json` writes, as one document in memory. It must be asked before an
// importer that takes any JSON.
[[nodiscard]] const trace::importer& rocprof_json();

}  // namespace ridge::backends::trace_rocprof_json
