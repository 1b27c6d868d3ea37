// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "critical_path/host_names.hpp"
#include "critical_path/path_pieces.hpp"

namespace ridge::trace {

// The host threads of a trace, and which of its tracks are theirs.
void find_threads(const trace& t, path_pieces& in);

// Cuts where one thread stands still while another one, that stood still before, works: a thread that hands
// its work over (loss.backward()) and waits. Between threads of one process, where the one that works takes
// part; the one that waits then takes part as well.
struct handover {
  std::uint32_t waiting = none;  // cut of the thread that stands still, over the other's work
  std::uint32_t begins = none;   // cut of the thread that works, over its idleness before
  std::uint32_t ends = none;     // cut of it where its work ends
};
[[nodiscard]] std::vector<handover> find_handovers(const trace& t, path_pieces& in);

// Pieces of every thread that takes part, cut where path_pieces::cuts say.
void make_host_pieces(const trace& t, host_names& names, path_pieces& in);

// The class of a stretch of host work by its innermost event (`none`: idle), outside data loading.
[[nodiscard]] path_class class_of_host(const trace& t, event_id innermost);

}  // namespace ridge::trace
