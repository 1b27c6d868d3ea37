// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include <ridge/trace/critical_path.hpp>

namespace ridge::trace {

using piece_id = std::uint32_t;

// The slot of an edge into a piece. A piece keeps one edge of each kind, the one that ends last.
enum class edge_slot : std::uint8_t { order, cause, wait };

// A stretch of work of a thread or stream that runs without waiting, clipped to the window.
struct piece {
  nanoseconds start_ns = 0;
  nanoseconds end_ns = 0;
  event_id event = none;  // event of a call or device work; none for host work between calls
  work_id work = none;
  std::array<piece_id, 3> after{none, none, none};  // what it waited for, by edge_slot
  std::array<path_edge, 3> because{};
  std::uint32_t thread = none;  // index of the host thread; none for device work
  path_class is = path_class::unknown;
  bool launched = false;  // device work whose launch the trace holds, in the window or not

  [[nodiscard]] nanoseconds duration_ns() const { return end_ns - start_ns; }
};

// A time at which a thread's work is divided. Between `time_ns` and `until_ns` the thread only waits and has
// no piece.
struct thread_cut {
  nanoseconds time_ns = 0;
  nanoseconds until_ns = 0;
  piece_id before = none;  // last piece of the thread before time_ns; found by the sweep
  piece_id after = none;   // first one from until_ns on
};

// A host thread: its tracks of events and of the interpreter's frames.
struct host_thread {
  std::uint32_t process = 0;
  std::array<track_id, 2> tracks{none, none};
  bool takes_part = false;
  std::vector<std::uint32_t> cuts{};  // into path_pieces::cuts
};

struct path_pieces {
  time_range window{};
  std::vector<host_thread> threads{};
  std::vector<std::uint32_t> thread_of_track{};  // `none`: not a host thread's
  std::vector<piece> pieces{};                   // grouped by thread and by device, in order
  std::vector<piece_id> runs{};                  // where such a group begins
  std::vector<thread_cut> cuts{};
  std::vector<piece_id> piece_of_work{};  // by work_id
  std::vector<piece_id> piece_at_end{};   // by event_id of a call: the piece that ends where the call does

  std::uint32_t cut(std::uint32_t thread, nanoseconds start_ns, nanoseconds until);
  void start_run() { runs.push_back(static_cast<piece_id>(pieces.size())); }
  // Keeps the edge from `earlier` to `later` if it goes forward in time and ends later than the one in the
  // slot.
  void link(piece_id earlier, piece_id later, edge_slot slot, path_edge why);
};

}  // namespace ridge::trace
