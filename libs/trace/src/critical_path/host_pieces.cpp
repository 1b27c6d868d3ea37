// SPDX-License-Identifier: Apache-2.0
#include "critical_path/host_pieces.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <utility>

#include "events/thread_sweep.hpp"

namespace ridge::trace {
namespace {

class piece_maker {
 public:
  piece_maker(const trace& t, host_names& names, path_pieces& pieces, std::uint32_t thread)
      : t_(t), names_(names), pieces_(pieces), thread_(thread), cuts_(pieces.threads[thread].cuts) {
    std::ranges::sort(cuts_, {}, [&](std::uint32_t c) { return pieces_.cuts[c].time_ns; });
  }

  void opened(event_id e) { loading_ += names_.loads_data(t_.events.name[e]) ? 1 : 0; }

  void closed(event_id e) {
    loading_ -= names_.loads_data(t_.events.name[e]) ? 1 : 0;
    if (t_.events.kind[e] == category::api) pieces_.piece_at_end[e] = last_;
  }

  void stretch(nanoseconds start_ns, nanoseconds end_ns, event_id innermost) {
    start_ns = std::max(start_ns, pieces_.window.start_ns);
    end_ns = std::min(end_ns, pieces_.window.end_ns);
    while (start_ns < end_ns) {
      reach(start_ns);
      const auto stop = std::min(end_ns, next_ < cuts_.size() ? pieces_.cuts[cuts_[next_]].time_ns : end_ns);
      if (waits_until_ > start_ns)
        start_ns = std::min(stop, waits_until_);
      else
        put(std::exchange(start_ns, stop), stop, innermost);
    }
  }

  void finish() {
    for (; next_ < cuts_.size(); ++next_) pieces_.cuts[cuts_[next_]].before = last_;
  }

 private:
  void reach(nanoseconds time) {
    for (; next_ < cuts_.size() && pieces_.cuts[cuts_[next_]].time_ns <= time; ++next_) {
      auto& cut = pieces_.cuts[cuts_[next_]];
      cut.before = last_;
      waits_until_ = std::max(waits_until_, cut.until_ns);
      unanswered_.push_back(cuts_[next_]);
    }
  }

  path_class class_of(event_id innermost) {
    if (innermost != none && t_.events.kind[innermost] == category::api &&
        waits_for_work(names_.role(t_.events.name[innermost])))
      return path_class::synchronization;
    const auto plain = class_of_host(t_, innermost);
    return loading_ > 0 && plain != path_class::api_call ? path_class::data_loading : plain;
  }

  void put(nanoseconds start_ns, nanoseconds end_ns, event_id innermost) {
    const auto is = class_of(innermost);
    const bool call = is == path_class::api_call || is == path_class::synchronization;
    const auto event = call ? innermost : none;
    if (unanswered_.empty() && last_ != none) {
      auto& before = pieces_.pieces[last_];
      if (before.end_ns == start_ns && before.is == is && before.event == event) {
        before.end_ns = end_ns;
        return;
      }
    }
    begin({.start_ns = start_ns, .end_ns = end_ns, .event = event, .thread = thread_, .is = is});
  }

  void begin(const piece& p) {
    const auto id = static_cast<piece_id>(pieces_.pieces.size());
    pieces_.pieces.push_back(p);
    pieces_.link(last_, id, edge_slot::order, path_edge::program_order);
    std::erase_if(unanswered_, [&](std::uint32_t c) {
      if (pieces_.cuts[c].until_ns > p.start_ns) return false;
      pieces_.cuts[c].after = id;
      return true;
    });
    last_ = id;
  }

  const trace& t_;
  host_names& names_;
  path_pieces& pieces_;
  std::uint32_t thread_;
  std::vector<std::uint32_t>& cuts_;
  std::vector<std::uint32_t> unanswered_{};
  std::size_t next_ = 0;
  piece_id last_ = none;
  nanoseconds waits_until_ = std::numeric_limits<nanoseconds>::min();
  int loading_ = 0;
};

}  // namespace

path_class class_of_host(const trace& t, event_id innermost) {
  if (innermost == none) return path_class::host_idle;
  switch (t.events.kind[innermost]) {
    case category::op:
      return path_class::op;
    case category::python:
      return path_class::python;
    case category::annotation:
      return path_class::annotation;
    default:
      return path_class::api_call;
  }
}

void find_threads(const trace& t, path_pieces& pieces) {
  std::map<std::pair<std::uint32_t, std::int64_t>, std::uint32_t> known;
  pieces.thread_of_track.assign(t.tracks.size(), none);
  for (track_id id = 0; id < t.tracks.size(); ++id) {
    const auto& k = t.tracks[id];
    if (k.kind != track_kind::thread && k.kind != track_kind::python) continue;
    const auto kinds = t.events.kind.subspan(k.first, k.count);
    if (std::ranges::none_of(kinds, is_host_work)) continue;
    const auto [at, fresh] =
        known.try_emplace({k.process, k.thread}, static_cast<std::uint32_t>(pieces.threads.size()));
    if (fresh) pieces.threads.push_back({.process = k.process});
    pieces.threads[at->second].tracks.at(k.kind == track_kind::python ? 1 : 0) = id;
    pieces.thread_of_track[id] = at->second;
  }
}

void make_host_pieces(const trace& t, host_names& names, path_pieces& pieces) {
  pieces.piece_at_end.assign(t.events.size(), none);
  for (std::uint32_t i = 0; i < pieces.threads.size(); ++i) {
    if (!pieces.threads[i].takes_part) continue;
    pieces.start_run();
    piece_maker to(t, names, pieces, i);
    thread_sweep sweep(t, pieces.threads[i].tracks, to);
    sweep.run(pieces.window.end_ns);
    to.finish();
  }
}

}  // namespace ridge::trace
