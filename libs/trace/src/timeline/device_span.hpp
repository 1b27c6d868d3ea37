// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ridge/trace/interval_set.hpp>
#include <ridge/trace/trace.hpp>

namespace ridge::trace {

// First start to last end of a device's work; {0, 0} of a device that did none.
[[nodiscard]] time_range device_span(const trace& t, std::int32_t device);

// Both: empty, with end before start, where they do not meet.
[[nodiscard]] time_range cut(time_range r, time_range window);

}  // namespace ridge::trace
