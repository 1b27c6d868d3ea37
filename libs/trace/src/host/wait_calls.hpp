// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include <ridge/trace/synchronization.hpp>

namespace ridge::trace {

// A call that may have waited, before it is known for what.
struct waiting_call {
  event_id call = none;
  wait_kind kind = wait_kind::other;
  bool surely = true;  // else it waited only where device work ended during it
  event_id op = none;  // the innermost operator around it
  bool reads_scalar = false;
};

// All of a trace, ordered by event.
[[nodiscard]] std::vector<waiting_call> waiting_calls(const trace& t);

}  // namespace ridge::trace
