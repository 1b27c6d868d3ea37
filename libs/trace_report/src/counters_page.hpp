// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ridge/trace/roofline_place.hpp>
#include <ridge/trace_report/pages.hpp>

namespace ridge::trace_report {

// The sheets of profiled kernels with their counters and what limits each.
[[nodiscard]] sheet counters_sheet(const scope& s, const trace::device_peaks& peaks);

}  // namespace ridge::trace_report
