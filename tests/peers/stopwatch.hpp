// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "workload.hpp"

namespace ridge::peers {

// Returns the wall time of `calls` calls in seconds.
[[nodiscard]] double seconds_of(workload& subject, std::uint64_t calls);

// Returns how many calls fill `seconds`, at least one, found by doubling.
[[nodiscard]] std::uint64_t calls_for(workload& subject, double seconds);

// Returns `count` consecutive samples of seconds per call.
[[nodiscard]] std::vector<double> samples(workload& subject, std::size_t count, std::uint64_t calls);

}  // namespace ridge::peers
