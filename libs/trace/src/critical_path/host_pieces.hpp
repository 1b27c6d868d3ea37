// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "critical_path/host_names.hpp"
#include "critical_path/path_pieces.hpp"

namespace ridge::trace {

// Finds the host threads of a trace and the tracks that belong to them.
void find_threads(const trace& t, path_pieces& pieces);

// The cuts where one thread waits while another one works that was idle before: a thread hands its work over
// (loss.backward()) and waits. Both belong to one process, and the one that works takes part; then the one
// that waits takes part as well.
struct handover {
  std::uint32_t waiting = none;  // cut of the thread that waits, over the other's work
  std::uint32_t begins = none;   // cut of the thread that works, over its idleness before
  std::uint32_t ends = none;     // cut of the working thread where its work ends
};
[[nodiscard]] std::vector<handover> find_handovers(const trace& t, path_pieces& pieces);

// Makes the pieces of every thread that takes part, divided at path_pieces::cuts.
void make_host_pieces(const trace& t, host_names& names, path_pieces& pieces);

// Returns the class of a stretch of host work outside data loading, by its innermost event (`none`: idle).
[[nodiscard]] path_class class_of_host(const trace& t, event_id innermost);

}  // namespace ridge::trace
