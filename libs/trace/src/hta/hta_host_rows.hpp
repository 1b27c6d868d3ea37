// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>

#include "hta/hta_rows.hpp"

namespace ridge::trace {

// Where a row stands in the trace's own numbers.
struct hta_place {
  std::int64_t process = 0;
  std::int64_t thread = 0;
};
// Returns the place of a work; zeros for `none`.
[[nodiscard]] hta_place hta_place_of(const trace& t, work_id work);
[[nodiscard]] hta_place hta_place_of_event(const trace& t, event_id e);

// Returns the first start of any row of HTA; 0 for a trace without events.
[[nodiscard]] nanoseconds hta_first_start(const trace& t, const hta_options& options);

// Calls `visit` with each event that is no device work, its times as HTA takes them, and whether HTA keeps
// it. Instants and the profiler's own span are no rows of HTA.
void for_each_host_row(const trace& t, const hta_rows& rows, const hta_options& options,
                       const std::function<void(event_id, time_range, bool kept)>& visit);

}  // namespace ridge::trace
