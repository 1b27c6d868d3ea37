// SPDX-License-Identifier: Apache-2.0
#include <ridge/trace/job_path.hpp>

#include <algorithm>
#include <limits>
#include <map>

#include <ridge/base/expects.hpp>

#include "critical_path/host_labels.hpp"
#include "critical_path/path_replay.hpp"

namespace ridge::trace {

// Walks back over the pieces of all ranks.
class job_walk {
 public:
  job_walk(std::span<const trace> traces, const matched_collectives& matched, const clock_alignment& clocks)
      : traces_(traces), matched_(matched), clocks_(clocks) {
    for (std::uint32_t i = 0; i < matched.instances.size(); ++i) {
      if (matched.instances[i].parts.size() < 2) continue;
      for (const auto& part : matched.instances[i].parts) instance_of_[{trace_of(part), part.work}] = i;
    }
  }

  void add(std::uint32_t t, path_graph&& graph) { graphs_.emplace(t, std::move(graph)); }

  job_path made() && {
    if (graphs_.empty()) return std::move(out_);
    begin();
    while (id_ != none) step();
    out_.window.start_ns = std::min(now_, common(own_start()));  // what was before nobody recorded
    put(out_.window.start_ns, trace_, {.range = {own_start(), now_own_}}, none);
    label();
    return std::move(out_);
  }

 private:
  struct walked {
    std::uint32_t trace = 0;
    nanoseconds start_ns = 0, end_ns = 0;  // on the common clock
    walked_segment own{};
  };

  [[nodiscard]] std::uint32_t trace_of(const collective_part& part) const {
    return matched_.participants[part.participant].trace;
  }
  [[nodiscard]] const path_pieces& pieces() const { return graphs_.at(trace_).pieces(); }
  [[nodiscard]] nanoseconds common(nanoseconds t) const { return clocks_.maps[trace_].to_common(t); }
  [[nodiscard]] nanoseconds own_start() const { return pieces().window.start_ns; }

  // Begins on the rank that ends last.
  void begin() {
    out_.window = {0, std::numeric_limits<nanoseconds>::min()};
    std::uint32_t last = 0;
    for (const auto& [t, graph] : graphs_) {
      trace_ = t;
      if (const auto end = common(graph.window().end_ns); end > out_.window.end_ns) {
        out_.window.end_ns = end;
        last = t;
      }
    }
    trace_ = last;
    now_ = out_.window.end_ns;
    now_own_ = pieces().window.end_ns;
    id_ = last_piece(pieces());
    if (id_ != none) put_until(pieces().pieces[id_].end_ns, {}, none);
  }

  // Adds the stretch from a time of the trace's own clock until now.
  void put_until(nanoseconds own_start_ns, path_segment segment, std::uint32_t thread) {
    segment.range = {own_start_ns, now_own_};
    if (own_start_ns < now_own_) put(common(own_start_ns), trace_, segment, thread);
    now_own_ = std::min(now_own_, own_start_ns);
  }

  void put(nanoseconds start_ns, std::uint32_t t, const path_segment& segment, std::uint32_t thread) {
    if (start_ns >= now_) return;
    walked_.push_back({t, start_ns, now_, {segment, thread}});
    now_ = start_ns;
  }

  // The part of the rank that came last to the collective of a piece, where that is another rank.
  [[nodiscard]] const collective_part* came_last(const piece& p) const {
    const auto at = instance_of_.find({trace_, p.work});
    if (p.work == none || at == instance_of_.end()) return nullptr;
    const auto& parts = matched_.instances[at->second].parts;
    const auto& last = *std::ranges::min_element(parts, {}, &collective_part::duration_ns);
    const auto t = trace_of(last);
    if (t == trace_ || !graphs_.contains(t) || last.duration_ns() >= p.end_ns - p.start_ns) return nullptr;
    const auto piece_there = graphs_.at(t).pieces().piece_of_work[last.work];
    if (piece_there == none || clocks_.maps[t].to_common(last.start_ns) >= now_) return nullptr;
    return &last;
  }

  void step() {
    const auto& p = pieces().pieces[id_];
    if (const auto* last = came_last(p)) {
      put_until(p.end_ns - last->duration_ns(),
                {.is = p.is, .because = path_edge::other_rank, .event = p.event, .work = p.work}, none);
      cross_to(*last);
      return;
    }
    const auto edge = binding_of(pieces(), p);
    put_until(p.start_ns, {.is = p.is, .because = edge.why, .event = p.event, .work = p.work}, p.thread);
    go_back(p, edge);
  }

  void cross_to(const collective_part& last) {
    ++out_.crossings;
    trace_ = trace_of(last);
    id_ = pieces().piece_of_work[last.work];
    const auto& p = pieces().pieces[id_];
    now_own_ = p.start_ns;
    // What clocks leave open between the two ranks' times belongs to the collective.
    if (common(p.start_ns) < now_)
      put(common(p.start_ns), trace_,
          {.range = {p.start_ns, p.start_ns},
           .is = p.is,
           .because = path_edge::other_rank,
           .event = p.event,
           .work = p.work},
          none);
    go_back(p, binding_of(pieces(), p));
  }

  void go_back(const piece& p, const binding_edge& edge) {
    put_until(p.start_ns - edge.delay_ns,
              {.is = class_of_delay(p, edge), .because = edge.why, .event = p.event, .work = p.work}, none);
    id_ = edge.predecessor;
  }

  // Divides host work by event, rank by rank, and puts all in order.
  void label() {
    std::ranges::reverse(walked_);
    std::map<std::uint32_t, std::vector<walked_segment>> own;
    for (const auto& w : walked_) own[w.trace].push_back(w.own);
    std::map<std::uint32_t, std::vector<path_segment>> labelled;
    for (auto& [t, segments] : own)
      labelled[t] = with_host_labels(traces_[t], graphs_.at(t).pieces(), std::move(segments));
    std::map<std::uint32_t, std::size_t> next;
    out_.by_trace.resize(traces_.size());
    for (const auto& w : walked_) {
      auto from = w.start_ns;
      auto& at = next[w.trace];
      const auto& mine = labelled[w.trace];
      const auto end_own = w.own.segment.range.end_ns;
      for (bool more = true; more && at < mine.size(); ++at) {
        more = mine[at].range.end_ns < end_own;
        const auto until =
            more ? std::clamp(clocks_.maps[w.trace].to_common(mine[at].range.end_ns), from, w.end_ns)
                 : w.end_ns;
        add_segment({w.trace, {from, until}, mine[at]});
        from = until;
      }
    }
  }

  void add_segment(const job_segment& segment) {
    const auto length = segment.range.length_ns();
    if (length <= 0) return;
    const auto is = static_cast<std::size_t>(segment.segment.is);
    out_.by_class.at(is) += length;
    out_.by_trace[segment.trace].at(is) += length;
    out_.segments.push_back(segment);
  }

  std::span<const trace> traces_;
  const matched_collectives& matched_;
  const clock_alignment& clocks_;
  std::map<std::pair<std::uint32_t, work_id>, std::uint32_t> instance_of_{};  // by trace and work
  std::map<std::uint32_t, path_graph> graphs_{};
  std::vector<walked> walked_{};
  std::uint32_t trace_ = 0;
  piece_id id_ = none;
  nanoseconds now_ = 0, now_own_ = 0;  // on the common clock, and on the trace's own
  job_path out_{};
};

job_path job_path_of(std::span<const trace> traces, std::span<const std::vector<work_class>> classes,
                     const matched_collectives& matched, const clock_alignment& clocks,
                     std::span<const std::optional<time_range>> windows) {
  expects(classes.size() == traces.size() && clocks.maps.size() == traces.size(),
          "job_path_of: classes and a clock for each trace");
  expects(windows.empty() || windows.size() == traces.size(), "job_path_of: one window a trace");
  job_walk walk(traces, matched, clocks);
  std::vector<std::uint32_t> left_out;
  for (std::uint32_t t = 0; t < traces.size(); ++t) {
    if (clocks.maps[t].source == clock_source::unrelated)
      left_out.push_back(t);
    else
      walk.add(t, path_graph(traces[t], classes[t], {.window = windows.empty() ? std::nullopt : windows[t]}));
  }
  auto path = std::move(walk).made();
  path.left_out = std::move(left_out);
  return path;
}

}  // namespace ridge::trace
