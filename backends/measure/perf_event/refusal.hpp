// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

namespace ridge::backends::measure_perf_event {

// Returns why perf_event_open failed and what helps, by its errno (perf_event_open(2)),
// kernel.perf_event_paranoid and the name of the hypervisor (empty on bare metal).
[[nodiscard]] std::string refusal(int code, std::optional<int> paranoid, const std::string& hypervisor);

}  // namespace ridge::backends::measure_perf_event
