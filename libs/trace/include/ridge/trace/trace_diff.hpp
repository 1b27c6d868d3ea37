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
#include <ridge/trace/scopes.hpp>
#include <ridge/trace/trace.hpp>
#include <ridge/trace/work_class.hpp>

namespace ridge::trace {

// The exclusive states into which a diff divides a device's time: compute (kernels and fills), communication
// without compute, copies without either, idle.
enum class diff_state : std::uint8_t { compute, exposed_communication, exposed_copies, idle };
inline constexpr int diff_state_count = 4;
// Returns the state's name, as reports print it.
[[nodiscard]] std::string_view name(diff_state s);

// One side of a diff: a device in a window.
struct diff_side {
  const trace* source = nullptr;
  std::span<const work_class> classes{};  // one class for each of source->works, as classes_of() returns them
  std::optional<std::int32_t> device{};   // nullopt: the lowest that did work
  bool all_devices = false;      // all that did work, the first with the other side's first, and so on; their
                                 // times are summed
  const op_tree* ops = nullptr;  // op_tree_of(*source); nullptr: the operators of works' External ids alone
  const scope_tree* modules = nullptr;  // scopes of the trace for trace_diff::tree; nullptr: operators alone
  // Step windows, ascending and disjoint; only their time counts. Empty: one window from the first start to
  // the last end of the device's work.
  std::span<const time_range> steps{};
};

// A time on both sides: nanoseconds in the windows, or nanoseconds per step where `per_step` holds. Per step,
// parts are rounded so that they still add up to their whole (cumulative division; each is off by less than 1
// ns).
struct diff_time {
  nanoseconds before_ns = 0;
  nanoseconds after_ns = 0;
  // Change from before to after.
  [[nodiscard]] nanoseconds delta_ns() const { return after_ns - before_ns; }
};
// A count on both sides, in the whole windows; it is never divided by steps.
struct diff_count {
  std::int64_t before = 0;
  std::int64_t after = 0;
};

// What changed in a row.
enum class diff_cause : std::uint8_t {
  added,
  removed,
  more_calls,
  fewer_calls,
  slower,
  faster,
  unchanged,
  renamed,    // another kernel does the work of the operator that the one before did
  more_idle,  // of rows of idle time
  less_idle,
};
// Returns the cause's name, as reports print it.
[[nodiscard]] std::string_view name(diff_cause c);

// Device work of one signature (innermost operator and name), in one state, or idle time of one cause. Its
// time is the part of the state that it alone accounts for: where several run at once the one that began
// first has it.
struct diff_row {
  diff_state state = diff_state::compute;
  diff_cause cause = diff_cause::unchanged;  // decided by the larger part of the delta: calls or speed
  std::string op{};                          // innermost operator; empty: not known
  std::string name{};                        // of idle time: the name of its idle_cause
  std::string new_name{};                    // of renamed work: the kernel that came instead
  diff_count calls{};                        // of idle time: pieces of gaps
  diff_time busy{};                          // sum of durations in the windows
  diff_time time{};                          // exclusive: sums to the state's time over its rows
  // time.delta_ns() == calls_ns + speed_ns. calls_ns is the change in calls (per step) at the old time per
  // call.
  nanoseconds calls_ns = 0;
  nanoseconds speed_ns = 0;
};

// A part of the program below its parent: a module, then an operator in it, or idle time before its work by
// cause.
struct diff_node {
  std::string name{};
  std::uint32_t parent = none;  // into trace_diff::tree; always a smaller index
  std::uint32_t depth = 0;
  diff_time own{};    // of its work alone; sums to the total over all nodes
  diff_time whole{};  // with the nodes below it
};

// One device of each side.
struct diff_device {
  std::optional<std::int32_t> before{}, after{};  // nullopt: the side has fewer devices
  diff_time total{};
  std::array<diff_time, diff_state_count> states{};  // sum to total
};

// What changed between two profiles.
struct trace_diff {
  bool per_step = false;  // both sides have steps, so all diff_time are per step
  diff_count steps{};
  diff_time total{};                                 // length of the windows, summed over devices
  std::array<diff_time, diff_state_count> states{};  // sum to total
  std::vector<diff_row> rows{};        // by |delta| of time, largest first; they sum to their states
  std::vector<diff_node> tree{};       // parents before children; own times sum to total
  std::vector<diff_device> devices{};  // they sum to total and states
  // the total's delta - the rows' deltas: 0 where everything is explained. Reports always show it.
  nanoseconds remainder_ns = 0;

  // Time in one state.
  [[nodiscard]] const diff_time& state(diff_state s) const { return states[static_cast<std::size_t>(s)]; }
};

// Returns what changed from `before` to `after`.
[[nodiscard]] trace_diff diff_of(const diff_side& before, const diff_side& after);

}  // namespace ridge::trace
