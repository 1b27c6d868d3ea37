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
#include <ridge/trace/device_partition.hpp>
#include <ridge/trace/interval_set.hpp>
#include <ridge/trace/work_class.hpp>

namespace ridge::trace {

// What ranks are compared by. Times are nanoseconds per step: the window's, divided by its steps.
enum class fleet_measure : std::uint8_t {
  step,                   // the window's length
  own_time,               // the step minus exposed communication: what the others wait for
  compute,                // some kernel computes
  exposed_communication,  // communication runs and no compute
  exposed_copies,         // copies run and neither of the others
  idle,                   // nothing runs
  clock,                  // the SM clock: median of the counter, in its own unit, where the trace has one
};
inline constexpr int fleet_measure_count = static_cast<int>(fleet_measure::clock) + 1;

// Returns the measure's name, as reports print it.
[[nodiscard]] std::string_view name(fleet_measure m);

// The part of a trace that is compared.
struct fleet_window {
  std::optional<time_range> window{};  // nullopt: first to last device work
  std::int64_t steps = 1;              // number of steps in the window
};

// One participant and its measures.
struct fleet_member {
  participant who{};
  std::array<std::optional<std::int64_t>, fleet_measure_count> values{};
  device_partition times{};  // over the whole window, not per step
  std::int64_t steps = 1;    // of the window
  // Returns one measure; nullopt where the trace does not record it.
  [[nodiscard]] std::optional<std::int64_t> value(fleet_measure m) const;
};

// A member that stands out in one measure. Where more than half of the members are equal (MAD 0), the mean
// absolute deviation takes the MAD's place.
struct fleet_outlier {
  std::uint32_t member = 0;
  fleet_measure measure = fleet_measure::step;
  std::int64_t value = 0;
  std::int64_t median = 0;
  double robust_z = 0;  // 0.6745 (value - median) / MAD, by Iglewicz and Hoaglin 1993
};

// The rank that delays the others: the outlier with the most own_time. `state` is where most of its excess
// lies.
struct slow_member {
  std::uint32_t member = 0;
  fleet_measure state = fleet_measure::compute;  // compute, exposed_copies or idle
  nanoseconds excess_ns = 0;                     // own_time per step above the median
  nanoseconds state_excess_ns = 0;
  double robust_z = 0;
};

struct fleet_report {
  std::vector<fleet_member> members{};    // by rank
  std::vector<fleet_outlier> outliers{};  // |z| > 3.5 and over 1 % of the median step; largest |z| first
  std::optional<slow_member> slowest{};
  bool too_few = false;  // fewer than four members: no outlier can be determined
};

// Returns the steady steps of each trace (step_windows::steady), or the whole trace where no steps are found.
[[nodiscard]] std::vector<fleet_window> steady_windows_of(std::span<const trace> traces);

// Returns the steady steps of a trace, or the whole trace where no steps are found.
[[nodiscard]] fleet_window steady_window_of(const trace& t);

// Returns the measures of one device of a trace in a window, given one class for each of the trace's works.
[[nodiscard]] fleet_member member_of(const trace& t, const participant& who,
                                     std::span<const work_class> classes, const fleet_window& window);

// Compares members that were measured one by one; the report holds them by rank.
[[nodiscard]] fleet_report compare_members(std::vector<fleet_member> members);

// Compares the ranks. `windows` holds one window per trace, or is empty for whole traces. A trace of several
// devices gives several members.
[[nodiscard]] fleet_report fleet_of(std::span<const trace> traces, const communication_names& names,
                                    std::span<const fleet_window> windows = {});

}  // namespace ridge::trace
