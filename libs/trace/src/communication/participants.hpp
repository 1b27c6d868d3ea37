// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <span>
#include <vector>

#include <ridge/trace/collectives.hpp>

namespace ridge::trace {

// Returns the devices with work for which `takes_part` is true, in order of traces and devices.
[[nodiscard]] std::vector<participant> participants_of(
    std::span<const trace> traces, const std::function<bool(std::uint32_t, const device_work&)>& takes_part);

}  // namespace ridge::trace
