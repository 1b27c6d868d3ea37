// SPDX-License-Identifier: Apache-2.0
#include "group_reading.hpp"

namespace ridge::backends::measure_perf_event {

std::vector<measure::counter_value> decode_group(std::span<const std::uint64_t> words,
                                                 std::span<const std::string> names) {
  constexpr std::size_t header = 3;
  if (words.size() < header + names.size() || words[0] != names.size() || words[2] == 0) return {};
  const double scale = static_cast<double>(words[1]) / static_cast<double>(words[2]);
  std::vector<measure::counter_value> values;
  for (std::size_t i = 0; i < names.size(); ++i) {
    values.push_back({names[i], static_cast<double>(words[header + i]) * scale});
  }
  return values;
}

}  // namespace ridge::backends::measure_perf_event
