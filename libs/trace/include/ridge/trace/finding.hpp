// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <ridge/trace/interval_set.hpp>
#include <ridge/trace/rule.hpp>

namespace ridge::trace {

// What a finding rests on: hardware counters, the timeline or models, or names alone.
enum class confidence_grade : std::uint8_t { counters, timeline, names };
[[nodiscard]] std::string_view name(confidence_grade g);  // "A", "B", "C"

// One figure that a finding rests on.
struct evidence_row {
  std::string description{};  // "idle while the loader ran"
  double value = 0;
  std::string unit{};     // "ns", "B/s", "1" (a share), "launches"
  std::string formula{};  // "idle / window"; empty: the value was read as it is
  std::uint32_t trace = 0;
  std::int32_t device = -1;  // -1: belongs to no device
  std::optional<time_range> range{};
  std::uint32_t event = none;
  std::uint32_t work = none;
};

// What a rule found.
struct finding {
  std::string rule{};   // the rule's id
  std::string cause{};  // one of cause_slugs(); "": the rule names none
  rule_level level = rule_level::why;
  std::string title{};
  std::string text{};
  std::string advice{};
  std::string next{};  // the command to type next
  std::vector<std::string> experiments{};
  std::string source{};
  std::string subject{};  // a kernel, an operator, a direction; "" where the rule has only one
  bool alarm = true;      // false: worth knowing, but nothing needs repair

  // Upper bound of the time saved in the window, averaged over the devices that were evaluated: Amdahl's law
  // on the part that nothing else hides. No nanosecond is promised by two findings.
  nanoseconds saves_ns = 0;
  std::optional<nanoseconds> saves_per_step_ns{};  // nullopt: no steps are known
  double share = 0;                                // saves_ns / window
  nanoseconds alone_ns = 0;                        // saves_ns if this were the only finding

  confidence_grade grade = confidence_grade::timeline;
  double confidence = 0;  // 1, 0.8 or 0.5 by grade, times the trust in the trace
  std::vector<evidence_row> evidence{};
  std::vector<threshold> thresholds{};  // the thresholds as they were used
};

}  // namespace ridge::trace
