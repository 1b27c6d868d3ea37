// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include <ridge/trace/interval_set.hpp>
#include <ridge/trace/path_class.hpp>
#include <ridge/trace/trace.hpp>
#include <ridge/trace/work_class.hpp>

namespace ridge::trace {

// A stretch of the path. Segments are in order, disjoint, none empty, and tile the window.
struct path_segment {
  time_range range{};
  path_class is = path_class::unknown;
  path_edge because = path_edge::window_start;
  event_id event = none;  // the API call, or the innermost host event; of device work its own event
  work_id work = none;    // of device work, and of a delay before it the work that was delayed
};

using path_totals = std::array<nanoseconds, path_class_count>;  // by path_class

// The path itself.
struct critical_path {
  time_range window{};
  std::vector<path_segment> segments{};
  path_totals by_class{};  // sums to the window's length

  // Nanoseconds of the path spent on class `c`.
  [[nodiscard]] nanoseconds total(path_class c) const { return by_class[static_cast<std::size_t>(c)]; }
};

// Returns the bound that a class of the path counts towards.
[[nodiscard]] path_bound bound_of(path_class c);

// What bounds a window, and the sums along the path that say so.
struct bound_by {
  path_bound first = path_bound::unknown;
  std::array<nanoseconds, path_bound_count> sums{};  // sums to the window's length
};
// Returns the bound with the largest sum along the path.
[[nodiscard]] bound_by bound_of(const critical_path& path);

// How much later a call could end without moving the last end in the window, with all other lengths
// unchanged.
struct call_slack {
  event_id call = none;
  nanoseconds slack_ns = 0;
};
struct path_slack {
  std::vector<nanoseconds> works{};  // one for each of trace::works; -1: outside the window
  std::vector<call_slack> calls{};   // API calls of the threads that take part, by event
};

// A hypothetical change: everything that matches takes per_mille / 1000 of its time (0: no time).
struct path_change {
  std::optional<path_class> piece_class{};  // every piece of this class
  name_id work_named = none;                // device work of this name; `none`: of any name
  int per_mille = 0;
};
// The predicted length of the window under some changes.
struct path_outcome {
  nanoseconds length_ns = 0;
  nanoseconds gain_ns = 0;  // the window's length less length_ns; negative when the change makes it longer
};

struct path_options {
  // Default: first start to last end of device work and of the events of the threads that take part.
  std::optional<time_range> window{};
  // whether to infer waits that no record shows: see path_edge::inferred_wait
  bool infer_stream_waits = true;
  // infers only where work began later than this after all known causes
  nanoseconds inferred_wait_from_ns = 10'000;
};

struct path_pieces;

// Pieces of work (host work between calls, calls, device work) with what each had to wait for, in a window.
// Built once, O(n log n); path(), slack() and what_if() are each O(n). `t` must outlive it.
// The threads that take part are those that launched device work, or that stood still while those ran; in a
// trace without device work all threads.
// Replaying the pieces gives the recorded times exactly: a piece begins at the latest end of what it waited
// for, plus the delay that was seen there. A what-if keeps those delays, so that a gain is an upper bound
// where a delay hides in it (a launch's latency behind a busy stream).
class path_graph {
 public:
  // `classes` holds one class for each of t.works, as classes_of() returns them.
  path_graph(const trace& t, std::span<const work_class> classes, const path_options& options = {});
  ~path_graph();
  path_graph(path_graph&&) noexcept;
  path_graph& operator=(path_graph&&) noexcept;

  // The window that the graph covers.
  [[nodiscard]] time_range window() const;
  [[nodiscard]] std::size_t size() const;  // number of pieces
  // Returns the longest chain of pieces, which tiles the window.
  [[nodiscard]] critical_path path() const;
  // Returns the slack of every work and call in the window.
  [[nodiscard]] path_slack slack() const;
  // Returns the window's length if all of `changes` held.
  [[nodiscard]] path_outcome what_if(std::span<const path_change> changes) const;

 private:
  friend class job_walk;  // walks from rank to rank
  [[nodiscard]] const path_pieces& pieces() const;

  struct state;
  std::unique_ptr<state> state_;
};

}  // namespace ridge::trace
