// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "events/pending_events.hpp"
#include "events/trace_storage.hpp"

namespace ridge::trace {

// Writes the columns, ordered by (track, start, longest first), and the range of each track's events. Sets
// the event of device work. Frees the pending events.
void order_events(pending_events& events, std::vector<track>& tracks, trace_storage& storage);

// Orders the device work by (device, start, end) and its events' `detail` with it.
void order_works(trace_storage& storage);

}  // namespace ridge::trace
