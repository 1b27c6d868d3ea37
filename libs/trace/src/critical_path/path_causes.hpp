// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "critical_path/host_names.hpp"
#include "critical_path/path_pieces.hpp"

namespace ridge::trace {

// A cut and the device work that is its reason.
struct work_cut {
  std::uint32_t cut = none;
  work_id work = none;
};

// Launch calls that were still running when their work began are cut there; the cut's piece `before` is what
// the work waited for.
[[nodiscard]] std::vector<work_cut> cut_launches(const trace& t, path_pieces& in);
// Calls that waited for device work: from their beginning (a copy: from the copy's) to the work's end the
// thread only waits; the cut's piece `after` waited for the work.
[[nodiscard]] std::vector<work_cut> cut_blocking_calls(const trace& t, host_names& names, path_pieces& in);

// Launch call -> work, where there is no cut.
void link_launches(const trace& t, path_pieces& in);
// Event record -> stream wait event, as synchronization records tell it.
void link_stream_waits(const trace& t, path_pieces& in);

}  // namespace ridge::trace
