// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "events/pending_events.hpp"
#include "events/trace_storage.hpp"

namespace ridge::trace {

// Writes the columns, ordered by (track, start, longest first), and where each track's events stand. Device
// work learns its event. Frees the pending events.
void order_events(pending_events& events, std::vector<track>& tracks, trace_storage& into);

// Orders the device work by (device, start, end) and its events' `detail` with it.
void order_works(trace_storage& in);

}  // namespace ridge::trace
