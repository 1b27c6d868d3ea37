// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include <ridge/trace/synchronization.hpp>

namespace ridge::trace {

// A call that may have waited; what it waited for is not yet known.
struct waiting_call {
  event_id call = none;
  wait_kind kind = wait_kind::other;
  bool surely = true;  // false: it waited only if device work ended during it
  event_id op = none;  // the innermost operator around it
  bool reads_scalar = false;
};

// Returns all calls of a trace that may have waited, ordered by event.
[[nodiscard]] std::vector<waiting_call> waiting_calls(const trace& t);

}  // namespace ridge::trace
