// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <ridge/trace/collectives.hpp>
#include <ridge/trace/interval_set.hpp>

namespace ridge::trace {

// What ranks are compared by. Times are a step's, in ns: the window's over its steps.
enum class fleet_measure : std::uint8_t {
  step,                   // the window's length
  own_time,               // the step less exposed communication: what the others wait for
  compute,                // some kernel computes
  exposed_communication,  // communication and no compute
  exposed_copies,         // copies and neither
  idle,                   // nothing
  clock,                  // the SM clock: median of the counter, in its own unit, where the trace has one
};
inline constexpr int fleet_measure_count = static_cast<int>(fleet_measure::clock) + 1;

[[nodiscard]] std::string_view name(fleet_measure m);

// Where to look in a trace.
struct fleet_window {
  std::optional<time_range> window{};  // nullopt: first to last device work
  std::int64_t steps = 1;              // that the window holds
};

struct fleet_member {
  participant who{};
  std::array<std::optional<std::int64_t>, fleet_measure_count> values{};
  [[nodiscard]] std::optional<std::int64_t> value(fleet_measure m) const;
};

// Where more than half of the members are alike (MAD 0) the mean absolute deviation takes the MAD's place.
struct fleet_outlier {
  std::uint32_t member = 0;
  fleet_measure measure = fleet_measure::step;
  std::int64_t value = 0;
  std::int64_t median = 0;
  double robust_z = 0;  // 0.6745 (value - median) / MAD, by Iglewicz and Hoaglin 1993
};

// The rank that holds the others up: the outlier above in own_time; `state` is where most of its excess lies.
struct slow_member {
  std::uint32_t member = 0;
  fleet_measure state = fleet_measure::compute;  // compute, exposed_copies or idle
  nanoseconds excess_ns = 0;                     // over the median of own_time, a step
  nanoseconds state_excess_ns = 0;
  double robust_z = 0;
};

struct fleet_report {
  std::vector<fleet_member> members{};    // by rank
  std::vector<fleet_outlier> outliers{};  // |z| > 3.5 and over 1 % of the median step; largest |z| first
  std::optional<slow_member> slowest{};
  bool too_few = false;  // fewer than four: no outlier can be told
};

// Of each trace its steady steps (step_windows::steady), or all of it where no steps are told.
[[nodiscard]] std::vector<fleet_window> steady_windows_of(std::span<const trace> traces);

// `windows` is one a trace, or empty for whole traces. A trace of several devices gives several members.
[[nodiscard]] fleet_report fleet_of(std::span<const trace> traces, const communication_names& names,
                                    std::span<const fleet_window> windows = {});

}  // namespace ridge::trace
