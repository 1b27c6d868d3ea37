// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include <ridge/trace/idle_cause.hpp>
#include <ridge/trace/interval_set.hpp>
#include <ridge/trace/trace.hpp>

// Why a device did nothing. A gap [a, b) is a longest range in which no work runs on the device; n is the
// work that ends it (the first in the order start, end), [ls, le) the API call that launched n.
namespace ridge::trace {

// A piece of a gap. The pieces of a gap touch each other and cover it exactly.
struct idle_piece {
  time_range where{};
  idle_cause cause = idle_cause::unknown;
  event_id blamed = none;  // the host event that was open longest of that cause; the launch; the wait
};

struct idle_gap {
  time_range where{};             // cut to the report's window
  idle_part part = {};            // host_late for a gap with ls >= a, else no_launch, micro or queued
  work_id next = none;            // into trace::works; `none`: nothing follows in the trace
  event_id launch = none;         // of `next`
  std::uint32_t first_piece = 0;  // idle_report::pieces[first_piece .. first_piece + pieces)
  std::uint32_t pieces = 0;
};

struct idle_sum {
  nanoseconds ns = 0;
  std::uint64_t count = 0;  // of pieces, for causes; of gaps of that kind, for parts
};

struct idle_options {
  nanoseconds micro_below_ns = 2000;
  std::size_t largest = 20;
};

struct idle_report {
  std::int32_t device = 0;
  time_range window{};
  nanoseconds idle_ns = 0;  // the sum of the gaps, of the causes and of the parts
  std::array<idle_sum, idle_cause_count> causes{};
  std::array<idle_sum, idle_part_count> parts{};
  std::vector<idle_gap> gaps{};  // ordered by time
  std::vector<idle_piece> pieces{};
  std::vector<std::uint32_t> largest{};  // into gaps, longest first

  [[nodiscard]] const idle_sum& of(idle_cause c) const { return causes[static_cast<std::size_t>(c)]; }
  [[nodiscard]] const idle_sum& of(idle_part p) const { return parts[static_cast<std::size_t>(p)]; }
};

// The idle time of a device in the window (default: its first start to its last end, as device_partition).
// A gap at the window's edge is judged whole and then cut. What stands before the first work is host-late; so
// is what follows the last one, told by the main thread (the thread that launches most).
[[nodiscard]] idle_report idle_of(const trace& t, std::int32_t device, std::optional<time_range> window = {},
                                  const idle_options& options = {});

// The part of a report within a window: for the steps of one report. The window lies within the report's.
[[nodiscard]] idle_report idle_within(const idle_report& whole, time_range window,
                                      const idle_options& options = {});

}  // namespace ridge::trace
