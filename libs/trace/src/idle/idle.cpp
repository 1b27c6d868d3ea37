// SPDX-License-Identifier: Apache-2.0
#include <ridge/trace/idle.hpp>

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <span>

#include <ridge/base/expects.hpp>

#include "idle/dominant_event.hpp"
#include "idle/host_activity.hpp"
#include "idle/idle_gaps.hpp"
#include "idle/main_thread.hpp"
#include "timeline/device_span.hpp"

namespace ridge::trace {
namespace {

// Fills a report gap by gap; everything is cut to its window.
class writer {
 public:
  explicit writer(idle_report& report) : report_(report) {}

  void begin(const idle_gap& gap) {
    report_.gaps.push_back(gap);
    report_.gaps.back().range = cut(gap.range, report_.window);
    report_.gaps.back().first_piece = static_cast<std::uint32_t>(report_.pieces.size());
    report_.gaps.back().pieces = 0;
    ++report_.parts[static_cast<std::size_t>(gap.part)].count;
    report_.idle_ns += report_.gaps.back().range.length_ns();
  }

  void piece(const idle_piece& whole) {
    const auto where = cut(whole.range, report_.window);
    if (where.length_ns() == 0) return;
    report_.pieces.push_back({where, whole.cause, whole.blamed});
    ++report_.gaps.back().pieces;
    auto& sum = report_.causes[static_cast<std::size_t>(whole.cause)];
    sum.ns += where.length_ns();
    ++sum.count;
    report_.parts[static_cast<std::size_t>(part_of(whole.cause))].ns += where.length_ns();
  }

  void rank_largest(std::size_t count) {
    std::vector<std::uint32_t> order(report_.gaps.size());
    std::iota(order.begin(), order.end(), 0U);
    const auto kept = order.begin() + static_cast<std::ptrdiff_t>(std::min(count, order.size()));
    std::ranges::partial_sort(order, kept, std::greater{},
                              [&](auto g) { return std::pair(report_.gaps[g].range.length_ns(), ~g); });
    report_.largest.assign(order.begin(), kept);
  }

 private:
  idle_report& report_;
};

// What all devices of a trace share, found once.
class shared_by_devices {
 public:
  explicit shared_by_devices(const trace& t) : activity(t), stream_waits(stream_wait_records(t)), trace_(t) {}

  host_activity activity;
  const std::vector<event_id> stream_waits;

  // The thread that launched most of a device's work, or the one with most events where no launch is
  // recorded.
  [[nodiscard]] track_id main_thread_of(std::int32_t device) {
    const auto launching = launching_thread_of(trace_, device);
    if (launching != none) return launching;
    if (!busiest_) busiest_ = busiest_thread_of(trace_);
    return *busiest_;
  }

 private:
  const trace& trace_;
  std::optional<track_id> busiest_{};
};

// Divides the gaps of one device into parts and causes.
class gap_judge {
 public:
  gap_judge(const trace& t, shared_by_devices& shared, std::int32_t device, time_range window,
            const idle_options& options)
      : trace_(t),
        shared_(shared),
        device_(device),
        options_(options),
        window_(window),
        waits_(t, shared.stream_waits, device) {
    for (const auto& g : gaps_of(t, device, window)) judged_.push_back(judge_one(g));
    tell_late_ones();
  }

  void write(writer& output) const {
    for (const auto& g : judged_) {
      output.begin({g.bare.range, g.part, g.bare.next, g.launch});
      if (g.part == idle_part::host_late) write_late(g, output);
      if (g.part == idle_part::queued) write_queued(g, output);
      if (g.part == idle_part::micro)
        output.piece(
            {g.bare.range, in_graph(g.bare) ? idle_cause::graph_micro : idle_cause::micro, g.launch});
      if (g.part == idle_part::no_launch) output.piece({g.bare.range, idle_cause::no_launch});
    }
  }

 private:
  struct judged {
    bare_gap bare{};
    idle_part part = {};
    event_id launch = none;
    time_range call{};  // span of the launch call; empty, at the gap's end, if there was none
    track_id thread = none;
    std::size_t told_at = 0;  // index of its range in those already attributed to its thread
  };

  [[nodiscard]] judged judge_one(const bare_gap& bare) const {
    judged g{bare, idle_part::host_late, none, {bare.range.end_ns, bare.range.end_ns}, none};
    if (bare.next == none) {
      g.thread = shared_.main_thread_of(device_);
      return g;
    }
    g.launch = trace_.works[bare.next].launch;
    if (g.launch != none) {
      g.call = {trace_.events.start_ns[g.launch], trace_.events.end_ns(g.launch)};
      g.thread = trace_.events.track[g.launch];
    }
    if (bare.before != none && bare.range.length_ns() < options_.micro_below_ns)
      g.part = idle_part::micro;
    else if (g.launch == none)
      g.part = idle_part::no_launch;
    else if (bare.before != none && g.call.start_ns < bare.range.start_ns)
      g.part = idle_part::queued;
    return g;
  }

  [[nodiscard]] static time_range late_part(const judged& g) {
    return cut(g.bare.range, {g.bare.range.start_ns, std::max(g.bare.range.start_ns, g.call.start_ns)});
  }

  void tell_late_ones() {
    std::map<track_id, std::vector<time_range>> ranges;
    for (auto& g : judged_) {
      if (g.part != idle_part::host_late) continue;
      auto& of_thread = ranges[g.thread];
      g.told_at = of_thread.size();
      of_thread.push_back(cut(late_part(g), window_));
    }
    for (const auto& [thread, of_thread] : ranges) told_[thread] = shared_.activity.during(thread, of_thread);
  }

  void write_late(const judged& g, writer& output) const {
    const auto& told = told_.at(g.thread);
    const auto first = g.told_at == 0 ? 0 : told.ends[g.told_at - 1];
    for (auto i = first; i < told.ends[g.told_at]; ++i) output.piece(told.pieces[i]);
    const auto begun = late_part(g).end_ns, end = g.bare.range.end_ns;
    const auto done = std::clamp(g.call.end_ns, begun, end);
    output.piece({{begun, done}, idle_cause::launch_api, g.launch});
    output.piece({{done, end}, idle_cause::launch_latency, g.launch});
  }

  void write_queued(const judged& g, writer& output) const {
    const auto [start, end] = g.bare.range;
    const auto done = std::clamp(g.call.end_ns, start, end);
    output.piece({{start, done}, idle_cause::launch_api, g.launch});
    if (in_graph(g.bare)) return output.piece({{done, end}, idle_cause::graph_internal, g.launch});
    const auto wait = waits_.before(g.bare.next);
    output.piece({{done, end},
                  wait == none ? idle_cause::pipeline : idle_cause::event_wait,
                  wait == none ? g.launch : wait});
  }

  [[nodiscard]] bool in_graph(const bare_gap& g) const {
    const auto launch = trace_.works[g.next].launch;
    return g.before != none && launch != none && trace_.works[g.before].launch == launch;
  }

  const trace& trace_;
  shared_by_devices& shared_;
  std::int32_t device_;
  const idle_options& options_;
  time_range window_;
  event_waits waits_;
  std::vector<judged> judged_{};
  std::map<track_id, told_ranges> told_{};
};

// What the interpreter did in the longest gaps is the deepest frame that holds most of the piece; the frame
// that is innermost for longest may be a module, or a caller of many short ones. Each search reads the
// thread's events from the first on, so only the longest pieces are searched for.
void name_frames(const trace& t, shared_by_devices& shared, idle_report& report) {
  constexpr nanoseconds short_ns = 50'000;
  constexpr std::size_t most_named = 64;
  std::vector<std::pair<idle_piece*, track_id>> pieces;
  for (const auto i : report.largest) {
    const auto& g = report.gaps[i];
    for (auto& p : std::span(report.pieces).subspan(g.first_piece, g.pieces)) {
      if (p.cause != idle_cause::python || p.range.length_ns() < short_ns) continue;
      pieces.emplace_back(&p,
                          g.launch == none ? shared.main_thread_of(report.device) : t.events.track[g.launch]);
    }
  }
  std::ranges::stable_sort(pieces, std::greater{},
                           [](const auto& one) { return one.first->range.length_ns(); });
  if (pieces.size() > most_named) pieces.resize(most_named);
  for (const auto& [piece, thread] : pieces) {
    if (const auto deepest = dominant_event(t, thread, piece->range); deepest != none)
      piece->blamed = deepest;
  }
}

idle_report idle_of_one(const trace& t, shared_by_devices& shared, std::int32_t device,
                        std::optional<time_range> window, const idle_options& options) {
  idle_report made{.device = device, .window = window.value_or(device_span(t, device))};
  writer to(made);
  gap_judge(t, shared, device, made.window, options).write(to);
  to.rank_largest(options.largest);
  name_frames(t, shared, made);
  return made;
}

}  // namespace

idle_report idle_of(const trace& t, std::int32_t device, std::optional<time_range> window,
                    const idle_options& options) {
  shared_by_devices shared(t);
  return idle_of_one(t, shared, device, window, options);
}

std::vector<idle_report> idle_of_devices(const trace& t, std::optional<time_range> window,
                                         const idle_options& options) {
  shared_by_devices shared(t);
  std::vector<idle_report> all;
  for (const auto device : t.working_devices())
    all.push_back(idle_of_one(t, shared, device, window, options));
  return all;
}

idle_report idle_within(const idle_report& whole, time_range window, const idle_options& options) {
  expects(window.start_ns >= whole.window.start_ns && window.end_ns <= whole.window.end_ns,
          "a window within the report's");
  idle_report made{.device = whole.device, .window = window};
  writer to(made);
  const auto ends = [](const idle_gap& g) { return g.range.end_ns; };
  for (auto g = std::ranges::upper_bound(whole.gaps, window.start_ns, {}, ends);
       g != whole.gaps.end() && g->range.start_ns < window.end_ns; ++g) {
    to.begin(*g);
    for (auto i = g->first_piece; i < g->first_piece + g->pieces; ++i) to.piece(whole.pieces[i]);
  }
  to.rank_largest(options.largest);
  return made;
}

}  // namespace ridge::trace
