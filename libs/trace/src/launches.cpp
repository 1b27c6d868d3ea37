// SPDX-License-Identifier: Apache-2.0
#include <ridge/trace/launches.hpp>

namespace ridge::trace {

duration_summary summary_of(std::vector<nanoseconds>) { return {}; }

double stream_queue::mean_length() const {
  return span_ns > 0 ? static_cast<double>(waiting_item_ns) / static_cast<double>(span_ns) : 0;
}

double launch_report::launch_bound_ratio() const {
  const auto length = window.length_ns();
  return length > 0 ? static_cast<double>(call_ns) / static_cast<double>(length) : 0;
}

double launch_report::graph_coverage() const {
  return device_ns > 0 ? static_cast<double>(graph_device_ns) / static_cast<double>(device_ns) : 0;
}

launch_report launches_of(const trace&, std::optional<std::int32_t>, std::optional<time_range>,
                          const launch_options&) {
  return {};
}

}  // namespace ridge::trace
