// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace ridge::trace {

// Times are exact integers: nanoseconds since the trace's own zero (trace::epoch_ns is that zero in Unix
// time).
using nanoseconds = std::int64_t;

using name_id = std::uint32_t;   // into trace::names; 0 is the empty text
using event_id = std::uint32_t;  // into trace::events
using track_id = std::uint32_t;  // into trace::tracks
using work_id = std::uint32_t;   // into trace::works
inline constexpr std::uint32_t none = 0xffffffffU;

}  // namespace ridge::trace
