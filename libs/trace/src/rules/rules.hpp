// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <ridge/trace/evidence.hpp>
#include <ridge/trace/finding.hpp>
#include <ridge/trace/time_budget.hpp>

// What rules are made of. Each row of data/rules.json has one function.
namespace ridge::trace {

// Something that a rule found, before time is shared out.
struct candidate {
  std::string subject{};                       // findings of one rule with one subject become one finding
  std::map<std::string, std::string> words{};  // what fills the rule's texts
  std::vector<claim> claims{};
  std::vector<evidence_row> rows{};
  confidence_grade grade = confidence_grade::timeline;
  bool alarm = true;
  // In place of the rule's, where they depend on what was found.
  std::optional<std::string> cause{}, title{};
  std::optional<double> alarm_share{};  // of the window: what gets less is a note
};

struct outcome {
  std::vector<candidate> found{};
  std::vector<std::string> missing{};  // names of needs, where the rule found that it cannot decide
};

using detector = outcome (*)(const evidence&, const rule&);

struct bound_detector {
  std::string_view id;
  detector detect;
};

// Every rule's function, by file.
[[nodiscard]] std::span<const bound_detector> trust_detectors();
[[nodiscard]] std::span<const bound_detector> idle_detectors();
[[nodiscard]] std::span<const bound_detector> copy_detectors();
[[nodiscard]] std::span<const bound_detector> communication_detectors();
[[nodiscard]] std::span<const bound_detector> operator_detectors();
[[nodiscard]] std::span<const bound_detector> counter_detectors();
[[nodiscard]] std::span<const bound_detector> kernel_detectors();
[[nodiscard]] std::span<const bound_detector> host_detectors();
[[nodiscard]] std::span<const bound_detector> program_detectors();
[[nodiscard]] std::vector<bound_detector> all_detectors();

// Returns whether any of the traces has the data that a need names.
[[nodiscard]] bool has(const evidence& e, std::string_view need);
// Returns whether this trace has them; true for needs that are not asked of each trace by itself.
[[nodiscard]] bool has(const trace_evidence& t, std::string_view need);
[[nodiscard]] std::vector<std::string> known_needs();

// Figures as text, as findings show them.
[[nodiscard]] std::string time_text(nanoseconds t);
[[nodiscard]] std::string share_text(double share);
[[nodiscard]] std::string bytes_text(double bytes);
[[nodiscard]] std::string rate_text(double bytes_per_s);
[[nodiscard]] std::string times_text(double ratio);
[[nodiscard]] std::string short_name(std::string_view kernel);

// Returns a candidate about a part of one device's window, with that part and its share as evidence under
// `label`.
[[nodiscard]] candidate about(const device_evidence& d, const interval_set& ranges, nanoseconds at_most,
                              std::string_view label);

}  // namespace ridge::trace
