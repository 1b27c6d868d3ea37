// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ridge/trace/device_partition.hpp>
#include <ridge/trace_report/pages.hpp>

namespace ridge::trace_report {

// Returns the exclusive states of each device. The fields have the names that other exact partitions use:
// span_ns, busy_ns, idle_ns, comp_ns, comm_total_ns, exposed_comm_ns, memcpy_total_ns, exposed_memcpy_ns.
[[nodiscard]] sheet devices_sheet(const scope& s, const std::vector<trace::device_partition>& devices);

// Returns the launches of all devices under the names that are used with them: correlated, uncorrelated,
// cpu_dur_ns_p50 ...
[[nodiscard]] sheet launch_sheet(const scope& s);

}  // namespace ridge::trace_report
