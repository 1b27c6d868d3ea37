// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <unordered_map>

#include <ridge/trace/trace_builder.hpp>

namespace ridge::backends::trace_chrome_json {

// Joins the starts and finishes of arrows by their id, in any order.
class flow_ends {
 public:
  explicit flow_ends(trace::trace_builder& builder) : builder_(builder) {}
  void start(std::uint64_t id, trace::nanoseconds time_ns, trace::track_id track);
  void finish(std::uint64_t id, trace::nanoseconds time_ns, trace::track_id track);

 private:
  struct end {
    trace::nanoseconds time_ns = 0;
    trace::track_id track = trace::none;
  };
  trace::trace_builder& builder_;
  std::unordered_map<std::uint64_t, end> starts_{}, finishes_{};
};

}  // namespace ridge::backends::trace_chrome_json
