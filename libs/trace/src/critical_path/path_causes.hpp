// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "critical_path/host_names.hpp"
#include "critical_path/path_pieces.hpp"

namespace ridge::trace {

// A cut and the device work that causes it.
struct work_cut {
  std::uint32_t cut = none;
  work_id work = none;
};

// Cuts launch calls that were still running when their work began; the work waited for the cut's piece
// `before`.
[[nodiscard]] std::vector<work_cut> cut_launches(const trace& t, path_pieces& pieces);
// Cuts calls that waited for device work. From the call's beginning (for a copy, from the copy's) to the
// work's end the thread only waits; the cut's piece `after` waited for the work.
[[nodiscard]] std::vector<work_cut> cut_blocking_calls(const trace& t, host_names& names,
                                                       path_pieces& pieces);

// Links launch calls to their work where there is no cut.
void link_launches(const trace& t, path_pieces& pieces);
// Links event records to the waits of streams, as synchronization records show them.
void link_stream_waits(const trace& t, path_pieces& pieces);

}  // namespace ridge::trace
