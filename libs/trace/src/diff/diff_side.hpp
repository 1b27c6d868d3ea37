// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <vector>

#include <ridge/trace/idle_cause.hpp>
#include <ridge/trace/trace_diff.hpp>

namespace ridge::trace {

// Idle time of one cause before the work of one module.
struct idle_share {
  idle_cause cause = idle_cause::unknown;
  work_id next = none;  // the work that ended the gap
  nanoseconds ns = 0;
};

// One side of a diff: the works of one device and the time that each alone accounts for.
struct side_times {
  const trace* source = nullptr;
  std::span<const device_work> works{};
  interval_set windows{};
  std::int64_t steps = 0;            // 0: no steps, one window
  std::vector<diff_state> states{};  // by work
  std::vector<nanoseconds> alone{};  // by work: time in its state that no earlier work of that state covers
  std::vector<nanoseconds> busy{};   // by work: duration within the windows
  std::vector<bool> counted{};       // by work: whether it begins within the windows
  nanoseconds idle_ns = 0;
  std::vector<idle_share> idle{};        // sums to idle_ns
  std::optional<std::int32_t> device{};  // nullopt: the trace holds no device work
  const op_tree* ops = nullptr;
  const scope_tree* modules = nullptr;

  // Returns the operator of a work; `none` where it is not known.
  [[nodiscard]] event_id op_of(work_id w) const {
    if (ops == nullptr) return source->works[w].op;
    return ops->node_of_work[w] == none ? none : ops->nodes[ops->node_of_work[w]].event;
  }
};

// Returns the times of the devices that a side chooses, ascending; one without works where it chooses none.
[[nodiscard]] std::vector<side_times> times_of_devices(const diff_side& side);
// Returns the windows of a side that has steps, or all time for a side without.
[[nodiscard]] interval_set counted_windows(const diff_side& side);

}  // namespace ridge::trace
