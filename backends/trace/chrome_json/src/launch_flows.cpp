// SPDX-License-Identifier: Apache-2.0
#include "launch_flows.hpp"

namespace ridge::backends::trace_chrome_json {

launch_flows::place launch_flows::place_of(const event_fields& e) {
  return {e.process.value, e.thread.value, e.start_ns.value_or(0)};
}

void launch_flows::add_arrow(const event_fields& e) {
  ids_.try_emplace(place_of(e), static_cast<std::uint32_t>(e.id.value));
}

void launch_flows::hold(const event_fields& e, const trace::event_row& row,
                        std::optional<trace::device_work> work) {
  held_.push_back({place_of(e), row, work});
}

void launch_flows::finish(trace::trace_builder& builder) {
  for (auto& h : held_) {
    const auto arrow = ids_.find(h.key);
    if (!told_ && arrow != ids_.end()) h.row.correlation = arrow->second;
    h.work ? builder.add(h.row, *h.work) : builder.add(h.row);
  }
  held_.clear();
}

}  // namespace ridge::backends::trace_chrome_json
