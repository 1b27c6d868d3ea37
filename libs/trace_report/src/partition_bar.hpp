// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <ridge/trace/device_partition.hpp>

namespace ridge::trace_report {

// Returns a bar in HTML whose parts are the states of a device in its window, and what its colours mean.
[[nodiscard]] std::string partition_bar(const trace::device_partition& p);
[[nodiscard]] std::string partition_legend();

}  // namespace ridge::trace_report
