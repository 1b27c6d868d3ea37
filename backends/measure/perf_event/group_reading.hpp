// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <ridge/measure/counters.hpp>

namespace ridge::backends::measure_perf_event {

// Decodes the words that read(2) returns for a group opened with PERF_FORMAT_GROUP and both times: count,
// time enabled, time running, then one value per event. Values of a group that ran part of the time are
// scaled by enabled ÷ running. Returns nothing for a group that never ran or for words that do not match the
// names.
[[nodiscard]] std::vector<measure::counter_value> decode_group(std::span<const std::uint64_t> words,
                                                               std::span<const std::string> names);

}  // namespace ridge::backends::measure_perf_event
