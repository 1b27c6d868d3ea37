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
  time_range range{};
  idle_cause cause = idle_cause::unknown;
  event_id blamed = none;  // the host event that was open longest of that cause; the launch; the wait
};

// One gap and its pieces.
struct idle_gap {
  time_range range{};             // cut to the report's window
  idle_part part = {};            // host_late for a gap with ls >= a, else no_launch, micro or queued
  work_id next = none;            // into trace::works; `none`: nothing follows in the trace
  event_id launch = none;         // launch call of `next`
  std::uint32_t first_piece = 0;  // idle_report::pieces[first_piece .. first_piece + pieces)
  std::uint32_t pieces = 0;
};

// Time and number of gaps or pieces.
struct idle_sum {
  nanoseconds ns = 0;
  std::uint64_t count = 0;  // number of pieces for causes, of gaps of that kind for parts
};

// Settings of the idle analysis.
struct idle_options {
  nanoseconds micro_below_ns = 2000;  // shorter gaps are micro
  std::size_t largest = 20;           // how many gaps idle_report::largest lists
};

// The idle time of one device in a window, by cause and by part.
struct idle_report {
  std::int32_t device = 0;
  time_range window{};
  nanoseconds idle_ns = 0;  // the sum of the gaps, of the causes and of the parts
  std::array<idle_sum, idle_cause_count> causes{};
  std::array<idle_sum, idle_part_count> parts{};
  std::vector<idle_gap> gaps{};  // ordered by time
  std::vector<idle_piece> pieces{};
  std::vector<std::uint32_t> largest{};  // into gaps, longest first

  // Time and number of pieces of one cause.
  [[nodiscard]] const idle_sum& of(idle_cause c) const { return causes[static_cast<std::size_t>(c)]; }
  // Time and number of gaps of one part.
  [[nodiscard]] const idle_sum& of(idle_part p) const { return parts[static_cast<std::size_t>(p)]; }
};

// Returns the idle time of a device in the window (default: its first start to its last end, as
// device_partition). A gap at the window's edge is classified as a whole and then cut. Time before the first
// work is host_late; so is time after the last one, whose cause is read from the main thread (the thread that
// launches most).
[[nodiscard]] idle_report idle_of(const trace& t, std::int32_t device, std::optional<time_range> window = {},
                                  const idle_options& options = {});

// Returns the idle time of each device that did work, ascending, as idle_of(). What does not depend on the
// device is found once: a trace may have as many devices as tracks.
[[nodiscard]] std::vector<idle_report> idle_of_devices(const trace& t, std::optional<time_range> window = {},
                                                       const idle_options& options = {});

// Returns the part of a report within `window`, which lies within the report's own: one step of it, for
// example.
[[nodiscard]] idle_report idle_within(const idle_report& whole, time_range window,
                                      const idle_options& options = {});

}  // namespace ridge::trace
