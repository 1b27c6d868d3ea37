// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <linux/perf_event.h>

#include <cstdint>
#include <optional>

#include <ridge/base/error.hpp>

namespace ridge::backends::profile_perf_event {

enum class sampled : std::uint8_t { cycles, cpu_clock };

// Returns the attributes of the event: stacks of the program's own code at a frequency, mappings, names,
// starts and switches of threads, with times of CLOCK_MONOTONIC, from exec() on, children included.
[[nodiscard]] perf_event_attr attributes_of(sampled event, std::uint32_t frequency_hz);

// Returns why an event could not be opened and what to do; `paranoid` is kernel.perf_event_paranoid, where it
// can be read.
[[nodiscard]] error refusal(int code, std::optional<int> paranoid);

// The same with the current setting.
[[nodiscard]] error refusal_here(int code);

}  // namespace ridge::backends::profile_perf_event
