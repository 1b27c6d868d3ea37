// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <ridge/trace/interval_set.hpp>
#include <ridge/trace/work_class.hpp>

namespace ridge::trace {

// Work of one class on a device, as times. Fills count as compute.
[[nodiscard]] interval_set times_of(const trace& t, std::int32_t device, std::span<const work_class> classes,
                                    work_class wanted);

// How much of the range the set covers; logarithmic in the set's size beside what it returns over.
[[nodiscard]] nanoseconds covered_ns(const interval_set& by, time_range range);

}  // namespace ridge::trace
