// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include <ridge/trace/critical_path.hpp>

namespace ridge::trace {

using piece_id = std::uint32_t;

// Where an edge into a piece is kept: one of each kind, the latest to end.
enum class edge_slot : std::uint8_t { order, cause, wait };

// A stretch of work that runs without waiting: of a thread, or of a stream. Clipped to the window.
struct piece {
  nanoseconds start_ns = 0;
  nanoseconds end_ns = 0;
  event_id event = none;  // of a call or device work; host work between calls: none
  work_id work = none;
  std::array<piece_id, 3> after{none, none, none};  // what it waited for, by edge_slot
  std::array<path_edge, 3> because{};
  std::uint32_t thread = none;  // index of the host thread; device work: none
  path_class is = path_class::unknown;
  bool launched = false;  // device work whose launch the trace holds, in the window or not

  [[nodiscard]] nanoseconds duration_ns() const { return end_ns - start_ns; }
};

// A time at which a thread's work is cut in two; between `time_ns` and `until_ns` the thread only waits, and
// has no piece.
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
  std::vector<std::uint32_t> thread_of_track{};  // `none`: no host thread
  std::vector<piece> pieces{};                   // each thread's and each device's stand together, in order
  std::vector<piece_id> runs{};                  // where such a group begins
  std::vector<thread_cut> cuts{};
  std::vector<piece_id> piece_of_work{};  // by work_id
  std::vector<piece_id> piece_at_end{};   // by event_id, of calls: the piece that ends where the call does

  std::uint32_t cut(std::uint32_t thread, nanoseconds from, nanoseconds until);
  void start_run() { runs.push_back(static_cast<piece_id>(pieces.size())); }
  // Keeps the edge if it goes forward in time and ends later than what the slot holds.
  void link(piece_id from, piece_id to, edge_slot slot, path_edge why);
};

}  // namespace ridge::trace
