// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <ridge/trace/interval_set.hpp>
#include <ridge/trace/trace.hpp>
#include <ridge/trace/work_class.hpp>

namespace ridge::trace {

// Exclusive states of a device as a diff splits its time: compute (kernels and fills), communication where
// no compute runs, copies where neither runs, idle.
enum class diff_state : std::uint8_t { compute, exposed_communication, exposed_copies, idle };
inline constexpr int diff_state_count = 4;
[[nodiscard]] std::string_view name(diff_state s);

// One side of a diff: a device in a window.
struct diff_side {
  const trace* of = nullptr;
  std::span<const work_class> classes{};  // of classes_of(*of, ...)
  std::optional<std::int32_t> device{};   // default: the lowest that worked
  // Step windows, ascending and disjoint. Only their time counts. Empty: one window, first start to last end
  // of the device's work.
  std::span<const time_range> steps{};
};

// A quantity on both sides: nanoseconds in the windows, or a step where `per_step` holds. Per step, parts are
// rounded so that they still add up to their whole (cumulative division; less than 1 ns off each).
struct diff_time {
  nanoseconds before_ns = 0;
  nanoseconds after_ns = 0;
  [[nodiscard]] nanoseconds delta_ns() const { return after_ns - before_ns; }
};
struct diff_count {  // of the whole windows, never divided by steps
  std::int64_t before = 0;
  std::int64_t after = 0;
};

enum class diff_cause : std::uint8_t { added, removed, more_calls, fewer_calls, slower, faster, unchanged };
[[nodiscard]] std::string_view name(diff_cause c);

// Device work of one signature (innermost operator and name), in one state. Its time is the part of the state
// that it alone accounts for: where several run at once the one that began first has it.
struct diff_row {
  diff_state state = diff_state::compute;
  diff_cause cause = diff_cause::unchanged;  // the larger part of delta: of calls or of speed
  std::string op{};                          // innermost operator; empty: not told
  std::string name{};
  diff_count calls{};
  diff_time busy{};  // sum of durations in the windows
  diff_time time{};  // exclusive: sums to the state's time over its rows
  // time.delta_ns() == calls_ns + speed_ns. calls_ns: change in calls (a step) at the old time a call.
  nanoseconds calls_ns = 0;
  nanoseconds speed_ns = 0;
};

struct trace_diff {
  bool per_step = false;  // both sides have steps: all diff_time are per step
  diff_count steps{};
  diff_time total{};                                 // of the windows
  std::array<diff_time, diff_state_count> states{};  // sum to total
  std::vector<diff_row> rows{};  // by |delta| of time, largest first; all but idle sum to their states
  // states' deltas - rows' deltas - idle's delta: 0 where everything is explained; shown, never folded away.
  nanoseconds remainder_ns = 0;

  [[nodiscard]] const diff_time& state(diff_state s) const { return states[static_cast<std::size_t>(s)]; }
};

[[nodiscard]] trace_diff diff_of(const diff_side& before, const diff_side& after);

}  // namespace ridge::trace
