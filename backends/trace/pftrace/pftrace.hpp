// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ridge/trace/importer.hpp>

namespace ridge::backends::trace_pftrace {

// Returns the importer of Perfetto's binary traces (a stream of TracePackets), as PyTorch, rocprofv3 and
// programs with Perfetto's SDK write them. It holds the content in memory.
[[nodiscard]] const trace::importer& pftrace();

}  // namespace ridge::backends::trace_pftrace
