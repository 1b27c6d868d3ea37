// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <ridge/trace/interval_set.hpp>
#include <ridge/trace/work_class.hpp>

namespace ridge::trace {

// Returns the times at which work of one class ran on a device. Fills count as compute.
[[nodiscard]] interval_set times_of(const trace& t, std::int32_t device, std::span<const work_class> classes,
                                    work_class wanted);

// Returns how much of the range the set covers, in time logarithmic in the set's size plus the number of
// covering ranges.
[[nodiscard]] nanoseconds covered_ns(const interval_set& intervals, time_range range);

}  // namespace ridge::trace
