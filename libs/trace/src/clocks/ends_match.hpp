// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include <ridge/trace/ids.hpp>

namespace ridge::trace {

// Returns how far apart the ends of one collective may lie once the clocks' offset is removed: a tenth of the
// usual time between two ends, but at least 20 us (half that time where it is shorter than 40 us) and at most
// 1 ms.
[[nodiscard]] nanoseconds tolerance_of(std::span<const nanoseconds> ends);

// Returns whether two series of equal length agree in three quarters of the times between ends.
[[nodiscard]] bool in_step(std::span<const nanoseconds> a, std::span<const nanoseconds> b,
                           nanoseconds tolerance);

// Returns, for each of `own`, which of `longest` ends at the same time under the offset that makes most of
// them coincide; both are ascending. nullopt where less than a third of `own` or fewer than three coincide,
// or another offset is as good.
[[nodiscard]] std::optional<std::vector<std::optional<std::size_t>>> match_ends(
    std::span<const nanoseconds> longest, std::span<const nanoseconds> own, nanoseconds tolerance);

}  // namespace ridge::trace
