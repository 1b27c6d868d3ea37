// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include <ridge/trace/trace.hpp>

namespace ridge::trace {

// Finds the launches of work without correlation by the "External id" that both share.
class launch_by_id {
 public:
  explicit launch_by_id(const trace& t);
  [[nodiscard]] event_id find(const device_work& w) const;  // the last call before it; `none`: no such call

 private:
  const trace& t_;
  std::vector<event_id> calls_{};  // by (External id, start)
};

}  // namespace ridge::trace
