// SPDX-License-Identifier: Apache-2.0
#include "critical_path/path_replay.hpp"

#include <algorithm>

namespace ridge::trace {
namespace {

// A launch reaches an empty stream in microseconds. Work that came later waited for something else: work that
// ran before the recording began, another process.
constexpr nanoseconds longest_launch_delay_ns = 1'000'000;

struct timed_piece {
  nanoseconds start_ns = 0;
  nanoseconds end_ns = 0;
  piece_id id = none;
  friend auto operator<=>(const timed_piece&, const timed_piece&) = default;
};

// Runs that are in order each, [begins[i], begins[i + 1]), merged two by two.
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

piece_id last_to_end(const path_pieces& in) {
  piece_id last = none;
  for (piece_id id = 0; id < in.pieces.size(); ++id) {
    const auto& p = in.pieces[id];
    if (last == none || p.end_ns > in.pieces[last].end_ns ||
        (p.end_ns == in.pieces[last].end_ns && p.work != none && in.pieces[last].work == none))
      last = id;
  }
  return last;
}

}  // namespace

std::vector<piece_id> replay_order(const path_pieces& in) {
  std::vector<timed_piece> rows;
  rows.reserve(in.pieces.size());
  for (piece_id id = 0; id < in.pieces.size(); ++id)
    rows.push_back({in.pieces[id].start_ns, in.pieces[id].end_ns, id});
  std::vector<std::ptrdiff_t> begins;
  for (const auto run : in.runs) begins.push_back(run);
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

binding_edge binding_of(const path_pieces& in, const piece& p) {
  binding_edge found{.delay_ns = p.start_ns - in.window.start_ns};
  for (std::size_t i = 0; i < p.after.size(); ++i) {
    if (p.after[i] == none) continue;
    const auto delay = p.start_ns - in.pieces[p.after[i]].end_ns;
    // Of two at once, what another did is the cause, not the piece's own order.
    if (found.from == none || delay < found.delay_ns || (delay == found.delay_ns && p.work == none))
      found = {.from = p.after[i], .why = p.because[i], .delay_ns = delay};
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
  }
  return path_class::unknown;
}

std::vector<walked_segment> walk_back(const path_pieces& in) {
  std::vector<walked_segment> walked;
  auto now = in.window.end_ns;
  const auto put = [&](nanoseconds from, const path_segment& what, std::uint32_t thread) {
    if (from >= now) return;
    walked.push_back({what, thread});
    walked.back().segment.range = {from, now};
    now = from;
  };
  auto id = last_to_end(in);
  if (id != none) put(in.pieces[id].end_ns, {}, none);
  while (id != none) {
    const auto& p = in.pieces[id];
    const auto edge = binding_of(in, p);
    put(p.start_ns, {.is = p.is, .because = edge.why, .event = p.event, .work = p.work}, p.thread);
    put(p.start_ns - edge.delay_ns,
        {.is = class_of_delay(p, edge), .because = edge.why, .event = p.event, .work = p.work}, none);
    id = edge.from;
  }
  put(in.window.start_ns, {}, none);
  std::ranges::reverse(walked);
  return walked;
}

}  // namespace ridge::trace
