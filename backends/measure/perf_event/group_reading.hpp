// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <ridge/measure/counters.hpp>

namespace ridge::backends::measure_perf_event {

// The words that read(2) gives of a group opened with PERF_FORMAT_GROUP and both times: count, time enabled,
// time running, then one value per event. Values of a group that ran part of the time are scaled by enabled ÷
// running; of one that never ran, or words that do not fit the names, nothing is returned.
[[nodiscard]] std::vector<measure::counter_value> decode_group(std::span<const std::uint64_t> words,
                                                               std::span<const std::string> names);

}  // namespace ridge::backends::measure_perf_event
