// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ridge/trace/device_partition.hpp>
#include <ridge/trace_report/pages.hpp>

namespace ridge::trace_report {

// Each device's exclusive states; the names of the fields are those of other exact partitions in the field:
// span_ns, busy_ns, idle_ns, comp_ns, comm_total_ns, exposed_comm_ns, memcpy_total_ns, exposed_memcpy_ns.
[[nodiscard]] sheet devices_sheet(const scope& s, const std::vector<trace::device_partition>& devices);

// Launches of all devices under the names used beside them: correlated, uncorrelated, cpu_dur_ns_p50 ...
[[nodiscard]] sheet launch_sheet(const scope& s);

}  // namespace ridge::trace_report
