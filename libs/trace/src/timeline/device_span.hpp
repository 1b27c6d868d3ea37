// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ridge/trace/interval_set.hpp>
#include <ridge/trace/trace.hpp>

namespace ridge::trace {

// Returns the time from the first start to the last end of a device's work; {0, 0} where it did none.
[[nodiscard]] time_range device_span(const trace& t, std::int32_t device);

// Returns the part of `r` in the window; where they do not overlap the result is empty, with its end before
// its start.
[[nodiscard]] time_range cut(time_range r, time_range window);

}  // namespace ridge::trace
