// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include <ridge/trace/ids.hpp>

namespace ridge::trace {

// How far apart the ends of one collective may lie once the clocks' offset is taken off: a tenth of the usual
// time between two, but at least 20 us (half that time where it is shorter than 40 us) and at most 1 ms.
[[nodiscard]] nanoseconds tolerance_of(std::span<const nanoseconds> ends);

// Whether two series of equal length go in step: three quarters of the times between ends agree.
[[nodiscard]] bool in_step(std::span<const nanoseconds> a, std::span<const nanoseconds> b,
                           nanoseconds tolerance);

// For each of `own` which of `longest` ends with it under the one offset that makes most of them meet; both
// ascending. nullopt: under a third of `own` or fewer than three meet, or another offset does as well.
[[nodiscard]] std::optional<std::vector<std::optional<std::size_t>>> match_ends(
    std::span<const nanoseconds> longest, std::span<const nanoseconds> own, nanoseconds tolerance);

}  // namespace ridge::trace
