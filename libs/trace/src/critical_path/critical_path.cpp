// SPDX-License-Identifier: Apache-2.0
#include <ridge/trace/critical_path.hpp>

#include <algorithm>
#include <limits>
#include <mutex>

#include <ridge/base/expects.hpp>

#include "critical_path/host_labels.hpp"
#include "critical_path/host_pieces.hpp"
#include "critical_path/path_causes.hpp"
#include "critical_path/path_replay.hpp"
#include "events/thread_sweep.hpp"
#include "timeline/device_pieces.hpp"

namespace ridge::trace {

struct path_graph::state {
  const trace* source = nullptr;
  host_names names;
  path_pieces all{};

  explicit state(const trace& t) : source(&t), names(t.names) {}
  // The order is made when it is first needed, from any thread; the path itself does not need it.
  std::span<const piece_id> order() {
    std::call_once(ordered_, [&] { order_ = replay_order(all); });
    return order_;
  }

 private:
  std::once_flag ordered_{};
  std::vector<piece_id> order_{};
};

namespace {

void choose_threads(const trace& t, path_pieces& pieces) {
  for (const auto& w : t.works) {
    if (w.launch == none) continue;
    const auto thread = pieces.thread_of_track[t.events.track[w.launch]];
    if (thread != none) pieces.threads[thread].takes_part = true;
  }
  if (std::ranges::any_of(pieces.threads, &host_thread::takes_part)) return;
  for (auto& thread : pieces.threads) thread.takes_part = true;
}

time_range whole_window(const trace& t, const path_pieces& pieces) {
  time_range all{std::numeric_limits<nanoseconds>::max(), std::numeric_limits<nanoseconds>::min()};
  const auto take = [&](nanoseconds start, nanoseconds end) {
    all = {std::min(all.start_ns, start), std::max(all.end_ns, end)};
  };
  for (const auto& w : t.works) take(w.start_ns, w.end_ns);
  for (event_id e = 0; e < t.events.size(); ++e) {
    const auto thread = pieces.thread_of_track[t.events.track[e]];
    if (thread != none && pieces.threads[thread].takes_part && is_host_work(t.events.kind[e]))
      take(t.events.start_ns[e], t.events.end_ns(e));
  }
  return all.end_ns < all.start_ns ? time_range{} : all;
}

void link_cuts(path_pieces& pieces, std::span<const work_cut> launches, std::span<const work_cut> blocking,
               std::span<const handover> handovers) {
  for (const auto& [cut, work] : launches)
    pieces.link(pieces.cuts[cut].before, pieces.piece_of_work[work], edge_slot::cause, path_edge::launch);
  for (const auto& [cut, work] : blocking)
    pieces.link(pieces.piece_of_work[work], pieces.cuts[cut].after, edge_slot::cause,
                path_edge::device_to_host);
  for (const auto& h : handovers) {
    pieces.link(pieces.cuts[h.waiting].before, pieces.cuts[h.begins].after, edge_slot::wait,
                path_edge::thread_start);
    pieces.link(pieces.cuts[h.ends].before, pieces.cuts[h.waiting].after, edge_slot::wait,
                path_edge::thread_end);
  }
}

}  // namespace

path_graph::path_graph(const trace& t, std::span<const work_class> classes, const path_options& options)
    : state_(std::make_unique<state>(t)) {
  expects(classes.size() == t.works.size(), "path_graph: one class for each of the trace's works");
  auto& in = state_->all;
  find_threads(t, in);
  choose_threads(t, in);
  constexpr time_range always{std::numeric_limits<nanoseconds>::min(),
                              std::numeric_limits<nanoseconds>::max()};
  in.window = options.window.value_or(always);
  const auto handovers = find_handovers(t, in);
  if (!options.window) in.window = whole_window(t, in);
  const auto launches = cut_launches(t, in);
  const auto blocking = cut_blocking_calls(t, state_->names, in);
  in.pieces.reserve(t.events.size());
  make_host_pieces(t, state_->names, in);
  make_device_pieces(t, classes, in);
  link_cuts(in, launches, blocking, handovers);
  link_launches(t, in);
  link_stream_waits(t, in);
  if (options.infer_stream_waits) infer_stream_waits(t, options.inferred_wait_from_ns, in);
}

path_graph::~path_graph() = default;
path_graph::path_graph(path_graph&&) noexcept = default;
path_graph& path_graph::operator=(path_graph&&) noexcept = default;

time_range path_graph::window() const { return state_->all.window; }
const path_pieces& path_graph::pieces() const { return state_->all; }
std::size_t path_graph::size() const { return state_->all.pieces.size(); }

critical_path path_graph::path() const {
  critical_path path{.window = state_->all.window};
  path.segments = with_host_labels(*state_->source, state_->all, walk_back(state_->all));
  for (const auto& s : path.segments) path.by_class.at(static_cast<std::size_t>(s.is)) += s.range.length_ns();
  return path;
}

path_slack path_graph::slack() const { return slack_of(*state_->source, state_->all, state_->order()); }

path_outcome path_graph::what_if(std::span<const path_change> changes) const {
  return replay(*state_->source, state_->all, state_->order(), changes);
}

}  // namespace ridge::trace
