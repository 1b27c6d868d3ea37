// SPDX-License-Identifier: Apache-2.0
#include <ridge/trace/idle_cause.hpp>

#include <array>

namespace ridge::trace {

std::string_view name(idle_part p) {
  constexpr std::array<std::string_view, idle_part_count> names{"host_late", "launch_api", "latency",
                                                                "queued",    "micro",      "no_launch"};
  return names.at(static_cast<std::size_t>(p));
}

std::string_view name(idle_cause c) {
  constexpr auto names =
      std::to_array<std::string_view>({"code_loading", "profiler",       "garbage_collection",
                                       "allocation",   "copy_call",      "synchronization",
                                       "data_loading", "lock",           "off_cpu",
                                       "other_api",    "framework",      "python",
                                       "unknown",      "launch_api",     "launch_latency",
                                       "event_wait",   "graph_internal", "pipeline",
                                       "micro",        "graph_micro",    "no_launch"});
  static_assert(names.size() == idle_cause_count);
  return names.at(static_cast<std::size_t>(c));
}

idle_part part_of(idle_cause c) {
  if (c <= idle_cause::unknown) return idle_part::host_late;
  if (c == idle_cause::launch_api) return idle_part::launch_api;
  if (c == idle_cause::launch_latency) return idle_part::latency;
  if (c <= idle_cause::pipeline) return idle_part::queued;
  return c == idle_cause::no_launch ? idle_part::no_launch : idle_part::micro;
}

}  // namespace ridge::trace
