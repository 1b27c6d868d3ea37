// SPDX-License-Identifier: Apache-2.0
#include "flow_ends.hpp"

namespace ridge::backends::trace_chrome_json {

void flow_ends::start(std::uint64_t id, trace::nanoseconds time_ns, trace::track_id track) {
  const auto at = finishes_.find(id);
  if (at == finishes_.end()) {
    starts_[id] = {time_ns, track};
    return;
  }
  builder_.add(trace::flow{id, time_ns, at->second.time_ns, track, at->second.track});
  finishes_.erase(at);
}

void flow_ends::finish(std::uint64_t id, trace::nanoseconds time_ns, trace::track_id track) {
  const auto at = starts_.find(id);
  if (at == starts_.end()) {
    finishes_[id] = {time_ns, track};
    return;
  }
  builder_.add(trace::flow{id, at->second.time_ns, time_ns, at->second.track, track});
  starts_.erase(at);
}

}  // namespace ridge::backends::trace_chrome_json
