// SPDX-License-Identifier: Apache-2.0
#include "critical_path/path_replay.hpp"

#include <algorithm>

namespace ridge::trace {
namespace {

// A launch reaches an empty stream in microseconds. Work that begins later waited for something else: work
// that ran before the recording began, or another process.
constexpr nanoseconds longest_launch_delay_ns = 1'000'000;

struct timed_piece {
  nanoseconds start_ns = 0;
  nanoseconds end_ns = 0;
  piece_id id = none;
  friend auto operator<=>(const timed_piece&, const timed_piece&) = default;
};

// Merges runs [begins[i], begins[i + 1]), each of which is in order, pairwise.
void merge_runs(std::vector<timed_piece>& rows, std::vector<std::ptrdiff_t> begins) {
  std::vector<timed_piece> merged(rows.size());
  while (begins.size() > 2) {
    std::vector<std::ptrdiff_t> next{0};
    for (std::size_t i = 0; i + 1 < begins.size(); i += 2) {
      const auto last = i + 2 < begins.size() ? begins[i + 2] : begins[i + 1];
      std::merge(rows.begin() + begins[i], rows.begin() + begins[i + 1], rows.begin() + begins[i + 1],
                 rows.begin() + last, merged.begin() + begins[i]);
      next.push_back(last);
    }
    rows.swap(merged);
    begins.swap(next);
  }
}

}  // namespace

piece_id last_piece(const path_pieces& pieces) {
  piece_id last = none;
  for (piece_id id = 0; id < pieces.pieces.size(); ++id) {
    const auto& p = pieces.pieces[id];
    if (last == none || p.end_ns > pieces.pieces[last].end_ns ||
        (p.end_ns == pieces.pieces[last].end_ns && p.work != none && pieces.pieces[last].work == none))
      last = id;
  }
  return last;
}

std::vector<piece_id> replay_order(const path_pieces& pieces) {
  std::vector<timed_piece> rows;
  rows.reserve(pieces.pieces.size());
  for (piece_id id = 0; id < pieces.pieces.size(); ++id)
    rows.push_back({pieces.pieces[id].start_ns, pieces.pieces[id].end_ns, id});
  std::vector<std::ptrdiff_t> begins;
  for (const auto run : pieces.runs) begins.push_back(run);
  if (begins.empty() || begins.front() != 0) begins.insert(begins.begin(), 0);
  begins.push_back(static_cast<std::ptrdiff_t>(rows.size()));
  for (std::size_t i = 0; i + 1 < begins.size(); ++i) {
    const auto from = rows.begin() + begins[i], to = rows.begin() + begins[i + 1];
    if (!std::is_sorted(from, to)) std::sort(from, to);
  }
  merge_runs(rows, begins);
  std::vector<piece_id> order;
  order.reserve(rows.size());
  for (const auto& row : rows) order.push_back(row.id);
  return order;
}

binding_edge binding_of(const path_pieces& pieces, const piece& p) {
  binding_edge found{.delay_ns = p.start_ns - pieces.window.start_ns};
  for (std::size_t i = 0; i < p.after.size(); ++i) {
    if (p.after[i] == none) continue;
    const auto delay = p.start_ns - pieces.pieces[p.after[i]].end_ns;
    // Of two edges that end at once, another's work is the cause, not the piece's own order.
    if (found.predecessor == none || delay < found.delay_ns || (delay == found.delay_ns && p.work == none))
      found = {.predecessor = p.after[i], .why = p.because[i], .delay_ns = delay};
  }
  return found;
}

path_class class_of_delay(const piece& p, const binding_edge& edge) {
  switch (edge.why) {
    case path_edge::launch:
      return edge.delay_ns <= longest_launch_delay_ns ? path_class::launch_delay : path_class::unknown;
    case path_edge::stream_wait:
    case path_edge::inferred_wait:
      return path_class::stream_wait;
    case path_edge::program_order:
    case path_edge::device_to_host:
      return path_class::synchronization;
    case path_edge::stream_order:
      return p.launched ? path_class::stream_gap : path_class::unknown;
    case path_edge::window_start:
      return path_class::unknown;
    case path_edge::thread_start:
    case path_edge::thread_end:
      return path_class::host_idle;
    case path_edge::other_rank:
      return path_class::communication;
  }
  return path_class::unknown;
}

std::vector<walked_segment> walk_back(const path_pieces& pieces) {
  std::vector<walked_segment> walked;
  auto now = pieces.window.end_ns;
  const auto put = [&](nanoseconds start_ns, const path_segment& segment, std::uint32_t thread) {
    if (start_ns >= now) return;
    walked.push_back({segment, thread});
    walked.back().segment.range = {start_ns, now};
    now = start_ns;
  };
  auto id = last_piece(pieces);
  if (id != none) put(pieces.pieces[id].end_ns, {}, none);
  while (id != none) {
    const auto& p = pieces.pieces[id];
    const auto edge = binding_of(pieces, p);
    put(p.start_ns, {.is = p.is, .because = edge.why, .event = p.event, .work = p.work}, p.thread);
    put(p.start_ns - edge.delay_ns,
        {.is = class_of_delay(p, edge), .because = edge.why, .event = p.event, .work = p.work}, none);
    id = edge.predecessor;
  }
  put(pieces.window.start_ns, {}, none);
  std::ranges::reverse(walked);
  return walked;
}

}  // namespace ridge::trace
