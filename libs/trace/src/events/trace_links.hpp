// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "events/trace_storage.hpp"

namespace ridge::trace {

// Finds the launch and the operator of all device work.
void link_works(const std::vector<track>& tracks, trace_storage& storage);

// Removes work whose clock cannot be the trace's from the works, flags its events and counts it.
void drop_foreign_clocks(trace_storage& storage, input_quality& quality);

// Flags work that overlaps its successors in its own stream. Counts durations that overflow, and launches
// that seem later than their work.
void flag_anomalies(trace_storage& storage, input_quality& quality);

}  // namespace ridge::trace
