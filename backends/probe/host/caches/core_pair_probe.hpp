// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include <ridge/host/topology.hpp>
#include <ridge/model/ceiling.hpp>

#include "sampler.hpp"

namespace ridge::backends::probe_host {

// Returns "cpu.core_to_core.exchange" (both cores change one line by compare-and-exchange) and
// "cpu.core_to_core.flag" (each writes a line that the other reads): seconds from one core to the other, half
// a round trip. The value is the median over pairs of cores and the series has every pair; each is the least
// of eight lines on fresh pages, since the home of a line is random. With more than 24 cores every n-th takes
// part. Throws unavailable where there is one core.
[[nodiscard]] std::vector<model::ceiling> probe_core_pairs(const measure::clock& clock,
                                                           const host::topology& machine);

// Returns the groups whose members are within 1.3 times the nearest distance of each other: sockets, or
// clusters that share a cache. seconds[i][j] is the time from i to j.
[[nodiscard]] std::vector<std::vector<std::size_t>> clusters(const std::vector<std::vector<double>>& seconds);

}  // namespace ridge::backends::probe_host
