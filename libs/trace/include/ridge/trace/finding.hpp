// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <ridge/trace/interval_set.hpp>
#include <ridge/trace/rule.hpp>

namespace ridge::trace {

// What a finding rests on: counters of the hardware, the timeline or models, names alone.
enum class confidence_grade : std::uint8_t { counters, timeline, names };
[[nodiscard]] std::string_view name(confidence_grade g);  // "A", "B", "C"

// One figure that a finding rests on.
struct evidence_row {
  std::string what{};  // "idle while the loader ran"
  double value = 0;
  std::string unit{};     // "ns", "B/s", "1" (a share), "launches"
  std::string formula{};  // "idle / window"; empty: read as it is
  std::uint32_t trace = 0;
  std::int32_t device = -1;  // -1: of no device
  std::optional<time_range> where{};
  std::uint32_t event = none;
  std::uint32_t work = none;
};

// What a rule found.
struct finding {
  std::string rule{};  // its id
  rule_level level = rule_level::why;
  std::string title{};
  std::string text{};
  std::string advice{};
  std::string next{};  // the command to type next
  std::vector<std::string> experiments{};
  std::string source{};
  std::string subject{};  // a kernel, an operator, a direction; "" where the rule has but one
  bool alarm = true;      // false: worth knowing, nothing to repair

  // Upper bound of the time saved, over the window, mean over the devices that were looked at: Amdahl on the
  // part that nothing hides, and no nanosecond promised by two findings.
  nanoseconds saves_ns = 0;
  std::optional<nanoseconds> saves_per_step_ns{};  // nullopt: no steps are known
  double share = 0;                                // saves_ns over the window
  nanoseconds alone_ns = 0;                        // the same, were it the only finding

  confidence_grade grade = confidence_grade::timeline;
  double confidence = 0;  // 1, 0.8 or 0.5 by grade, times what the quality of the data leaves
  std::vector<evidence_row> evidence{};
  std::vector<threshold> thresholds{};  // as they were used
};

}  // namespace ridge::trace
