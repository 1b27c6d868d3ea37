// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include <ridge/trace/evidence.hpp>

// Counters over time that some rules read, found by parts of their names without regard to case.
namespace ridge::trace {

using series_names = std::span<const std::string_view>;

inline constexpr std::string_view clock_names[] = {"sm clock", "clock_sm", "gpu clock", "smclk", "sclk"};
inline constexpr std::string_view throttle_names[] = {"throttle", "clock event reason",
                                                      "clocks_event_reasons"};
inline constexpr std::string_view health_names[] = {"ecc", "replay", "remapped"};
inline constexpr std::string_view top_down_names[] = {"backend_bound.memory_bound", "memory_bound"};
inline constexpr std::string_view runnable_names[] = {"runnable wait", "run queue wait", "sched_delay"};
inline constexpr std::string_view numa_names[] = {"numa remote", "remote_accesses"};
inline constexpr series_names clock_series = clock_names, throttle_series = throttle_names,
                              health_series = health_names, top_down_series = top_down_names,
                              runnable_series = runnable_names, numa_series = numa_names;

struct found_series {
  std::uint32_t trace = 0;
  std::int32_t device = -1;
  std::string_view name{};
  std::span<const counter_value> values{};  // by time; never empty
};

[[nodiscard]] std::vector<found_series> series_named(const evidence& e, series_names parts);
[[nodiscard]] bool has_series(const evidence& e, series_names parts);

}  // namespace ridge::trace
