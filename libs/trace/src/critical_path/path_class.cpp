// SPDX-License-Identifier: Apache-2.0
#include <ridge/trace/path_class.hpp>

#include <array>

namespace ridge::trace {

std::string_view name(path_class c) {
  constexpr std::array<std::string_view, path_class_count> names{"op",
                                                                 "python",
                                                                 "annotation",
                                                                 "data_loading",
                                                                 "host_idle",
                                                                 "api_call",
                                                                 "synchronization",
                                                                 "launch_delay",
                                                                 "compute",
                                                                 "communication",
                                                                 "copy",
                                                                 "fill",
                                                                 "stream_gap",
                                                                 "stream_wait",
                                                                 "unknown"};
  return names.at(static_cast<std::size_t>(c));
}

std::string_view name(path_edge e) {
  constexpr std::array<std::string_view, 10> names{
      "window_start",  "program_order",  "launch",       "stream_order", "stream_wait",
      "inferred_wait", "device_to_host", "thread_start", "thread_end",   "other_rank"};
  return names.at(static_cast<std::size_t>(e));
}

std::string_view name(path_bound b) {
  constexpr std::array<std::string_view, path_bound_count> names{"host",          "data_loading", "compute",
                                                                 "communication", "copies",       "launch",
                                                                 "stream_gaps",   "waiting",      "unknown"};
  return names.at(static_cast<std::size_t>(b));
}

path_bound bound_of(path_class c) {
  constexpr std::array<path_bound, path_class_count> bounds{
      path_bound::host,        path_bound::host,          path_bound::host,    path_bound::data_loading,
      path_bound::host,        path_bound::host,          path_bound::waiting, path_bound::launch,
      path_bound::compute,     path_bound::communication, path_bound::copies,  path_bound::compute,
      path_bound::stream_gaps, path_bound::stream_gaps,   path_bound::unknown};
  return bounds.at(static_cast<std::size_t>(c));
}

bound_by bound_of(const critical_path& path) {
  bound_by b;
  for (int c = 0; c < path_class_count; ++c) {
    const auto at = static_cast<std::size_t>(c);
    b.sums.at(static_cast<std::size_t>(bound_of(static_cast<path_class>(c)))) += path.by_class.at(at);
  }
  auto best = static_cast<std::size_t>(path_bound::unknown);
  for (std::size_t i = 0; i < b.sums.size(); ++i) {
    if (b.sums.at(i) > b.sums.at(best)) best = i;
  }
  b.first = static_cast<path_bound>(best);
  return b;
}

}  // namespace ridge::trace
