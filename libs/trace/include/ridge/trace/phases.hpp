// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include <ridge/trace/interval_set.hpp>
#include <ridge/trace/phase.hpp>
#include <ridge/trace/trace.hpp>

// Device time by phase: forward, backward and optimizer, or prefill and decode.

// Time of one phase on one device.
namespace ridge::trace {

struct phase_time {
  nanoseconds busy_ns = 0;
  nanoseconds idle_ns = 0;  // idle time that ends with work of the phase
  std::uint64_t works = 0;
  // Busy and idle time together.
  [[nodiscard]] nanoseconds window_ns() const { return busy_ns + idle_ns; }
};

// A stretch of one phase on a device, from the end of the previous stretch's work to the end of its own.
struct phase_stretch {
  time_range range{};
  phase kind = phase::other;
};

// The phases of one device in a window.
struct phase_report {
  std::int32_t device = 0;
  time_range window{};
  phase_source source = phase_source::not_told;            // the strongest source of a phase
  phase_source inference_source = phase_source::not_told;  // the strongest source of prefill and decode
  std::array<phase_time, phase_count> phases{};            // busy and idle sum to the window
  std::vector<phase_stretch> stretches{};                  // tile the window
  std::vector<phase> of_work{};                            // one for each of t.works_of(device)

  // Time of one phase.
  [[nodiscard]] const phase_time& of(phase p) const { return phases[static_cast<std::size_t>(p)]; }
};

// Returns the phases of a device. A work belongs to the phase of its launch (else of its operator): the
// innermost named range around it, prefill and decode before training's; else the operators around it: one
// with a forward thread above 0, or under autograd's engine, is backward, one with a sequence number is
// forward; else `other`. Idle time belongs to the phase of the work that ends it, after the last one to
// `other`; where works overlap, time is the earlier one's.
[[nodiscard]] phase_report phases_of(const trace& t, std::int32_t device,
                                     std::optional<time_range> window = {});

}  // namespace ridge::trace
