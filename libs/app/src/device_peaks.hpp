// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <ridge/base/result.hpp>
#include <ridge/hardware/gpu.hpp>
#include <ridge/trace/roofline.hpp>
#include <ridge/trace/trace.hpp>

namespace ridge::app {

// The same figures as analyses of traces take them.
[[nodiscard]] trace::device_peaks peaks_of(const hardware::gpu& gpu);

// What the catalogue says of the GPU that the trace names, or of the one named ("H200 SXM"). Without a name
// and with a GPU that the catalogue does not know: peaks without a name, nothing known. An error names the
// GPUs there are.
[[nodiscard]] result<trace::device_peaks> peaks_for(const trace::trace& t, const std::string& gpu);

}  // namespace ridge::app
