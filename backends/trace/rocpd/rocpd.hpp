// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ridge/trace/importer.hpp>

namespace ridge::backends::trace_rocpd {

// Returns the importer of the databases of `rocprofv3` of ROCm 7 (--output-format rocpd), of one process or
// several merged ones. Only real tables are asked, never the views; what a version lacks counts as not
// recorded. It must come with an importer that leaves such databases to it.
[[nodiscard]] const trace::importer& rocpd();

}  // namespace ridge::backends::trace_rocpd
