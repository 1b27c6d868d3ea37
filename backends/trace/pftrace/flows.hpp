// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include <ridge/trace/trace_builder.hpp>

namespace ridge::backends::trace_pftrace {

// One end of an arrow: a slice that its flow passes through.
struct flow_point {
  std::uint64_t id = 0;
  trace::nanoseconds time = 0;
  trace::track_id track = trace::none;
  std::uint32_t slice = 0;
  trace::category kind = trace::category::other;
  bool last = false;  // the flow ends here, and its number may be used again
};

// The arrows between slices. The slices of a flow follow each other in time.
class flows {
 public:
  void add(const flow_point& point) { points_.push_back(point); }
  // Adds all arrows to the builder, but for those from calls to work, which are launches: of those it returns
  // by slice the number that both ends share.
  [[nodiscard]] std::unordered_map<std::uint32_t, std::uint64_t> finish(trace::trace_builder& builder);

 private:
  std::vector<flow_point> points_{};
};

}  // namespace ridge::backends::trace_pftrace
