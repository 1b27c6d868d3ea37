// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
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

// Decodes what read(2) returns for a single event opened with both times: its count, time enabled, time
// running. The count is scaled by enabled ÷ running, and 0 before it was ever enabled; nothing for an event
// that was enabled and never ran, for what happened meanwhile is not known.
[[nodiscard]] std::optional<double> decode_count(std::span<const std::uint64_t, 3> words);

}  // namespace ridge::backends::measure_perf_event
