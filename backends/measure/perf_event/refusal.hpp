// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

namespace ridge::backends::measure_perf_event {

// Why perf_event_open failed, and what helps, from its errno (perf_event_open(2)), kernel.perf_event_paranoid
// and the hypervisor's name (empty on bare metal).
[[nodiscard]] std::string refusal(int code, std::optional<int> paranoid, const std::string& hypervisor);

}  // namespace ridge::backends::measure_perf_event
