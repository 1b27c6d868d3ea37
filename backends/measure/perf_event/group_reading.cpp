// SPDX-License-Identifier: Apache-2.0
#include "group_reading.hpp"

#include <array>

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

std::optional<double> decode_count(std::span<const std::uint64_t, 3> words) {
  const auto [count, enabled, ran] = std::array{words[0], words[1], words[2]};
  if (enabled == 0) return 0;
  if (ran == 0) return std::nullopt;
  return static_cast<double>(count) * static_cast<double>(enabled) / static_cast<double>(ran);
}

}  // namespace ridge::backends::measure_perf_event
