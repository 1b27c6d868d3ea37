// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ridge/trace/importer.hpp>

namespace ridge::backends::trace_xplane {

// Returns the importer of what JAX, TensorFlow and PyTorch/XLA write as `*.xplane.pb`: an XSpace of the XLA
// profiler (xplane.proto). It holds the content in memory. Picoseconds are cut to nanoseconds.
[[nodiscard]] const trace::importer& xplane();

}  // namespace ridge::backends::trace_xplane
