// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <initializer_list>
#include <string_view>

#include "rules/rules.hpp"

namespace ridge::trace {

// Returns the idle times in the device's window with one of these causes.
[[nodiscard]] interval_set idle_with(const device_evidence& d, std::initializer_list<idle_cause> causes);
// Returns the host event that the longest such piece is blamed on; `none` where there is none.
[[nodiscard]] event_id longest_blamed(const device_evidence& d, std::initializer_list<idle_cause> causes);

// Returns the idle time in which the host prepares launches and nothing else is to blame. A launch that takes
// longer than `longest_latency` to arrive waits for something else.
[[nodiscard]] interval_set preparing_time(const device_evidence& d, nanoseconds longest_latency);

// Returns the times in which the host was elsewhere, whatever the device did.
[[nodiscard]] interval_set absent_time(const device_evidence& d);
// Returns ", most of it in the backward phase" where more than half of the times lie in one phase; else "".
[[nodiscard]] std::string phase_text(const evidence& e, const device_evidence& d, const interval_set& times);

[[nodiscard]] outcome i2_launches(const evidence& e, const rule& r);
[[nodiscard]] outcome i4_synchronization(const evidence& e, const rule& r);
[[nodiscard]] outcome i10_elsewhere(const evidence& e, const rule& r);
[[nodiscard]] outcome i7_pauses(const evidence& e, const rule& r);

// Returns whether graphs launch most of the device time already: capturing is no advice then.
[[nodiscard]] bool mostly_captured(const trace_evidence& evidence);

}  // namespace ridge::trace
