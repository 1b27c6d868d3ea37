// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <ranges>

#include "critical_path/path_replay.hpp"

namespace ridge::trace {
namespace {

// Returns the latest end of each piece that does not move the last end.
std::vector<nanoseconds> latest_ends(const path_pieces& pieces, std::span<const piece_id> order) {
  auto last = pieces.window.start_ns;
  for (const auto& p : pieces.pieces) last = std::max(last, p.end_ns);
  std::vector<nanoseconds> latest(pieces.pieces.size(), last);
  for (const auto id : std::views::reverse(order)) {
    const auto& p = pieces.pieces[id];
    const auto must_be_ready = latest[id] - p.duration_ns() - binding_of(pieces, p).delay_ns;
    for (const auto from : p.after) {
      if (from != none) latest[from] = std::min(latest[from], must_be_ready);
    }
  }
  return latest;
}

class scaling {
 public:
  scaling(const trace& t, std::span<const path_change> changes) : t_(t), changes_(changes) {}
  [[nodiscard]] nanoseconds of(nanoseconds length, path_class is, work_id work) const {
    for (const auto& c : changes_) {
      if (c.piece_class && *c.piece_class != is) continue;
      if (c.work_named != none && (work == none || t_.works[work].name != c.work_named)) continue;
      return length / 1000 * c.per_mille + length % 1000 * c.per_mille / 1000;
    }
    return length;
  }

 private:
  const trace& t_;
  std::span<const path_change> changes_;
};

}  // namespace

path_slack slack_of(const trace& t, const path_pieces& pieces, std::span<const piece_id> order) {
  const auto latest = latest_ends(pieces, order);
  path_slack slack;
  slack.works.assign(t.works.size(), -1);
  for (piece_id id = 0; id < pieces.pieces.size(); ++id) {
    const auto& p = pieces.pieces[id];
    if (p.work != none) slack.works[p.work] = latest[id] - p.end_ns;
    if (p.thread == none || p.event == none) continue;
    if (!slack.calls.empty() && slack.calls.back().call == p.event)
      slack.calls.back().slack_ns = latest[id] - p.end_ns;
    else if (t.events.kind[p.event] == category::api)
      slack.calls.push_back({.call = p.event, .slack_ns = latest[id] - p.end_ns});
  }
  std::ranges::stable_sort(slack.calls, {}, &call_slack::call);
  return slack;
}

path_outcome replay(const trace& t, const path_pieces& pieces, std::span<const piece_id> order,
                    std::span<const path_change> changes) {
  const scaling scaled(t, changes);
  std::vector<nanoseconds> end(pieces.pieces.size());
  nanoseconds recorded_last = pieces.window.start_ns, last = pieces.window.start_ns;
  for (const auto id : order) {
    const auto& p = pieces.pieces[id];
    auto ready = pieces.window.start_ns;
    for (const auto from : p.after) {
      if (from != none) ready = std::max(ready, end[from]);
    }
    const auto edge = binding_of(pieces, p);
    end[id] = ready + scaled.of(edge.delay_ns, class_of_delay(p, edge), none) +
              scaled.of(p.duration_ns(), p.is, p.work);
    recorded_last = std::max(recorded_last, p.end_ns);
    last = std::max(last, end[id]);
  }
  const auto length = pieces.window.length_ns() - (recorded_last - last);
  return {.length_ns = length, .gain_ns = pieces.window.length_ns() - length};
}

}  // namespace ridge::trace
