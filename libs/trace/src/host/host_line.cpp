// SPDX-License-Identifier: Apache-2.0
#include <ridge/trace/host_line.hpp>

#include <algorithm>
#include <map>
#include <numeric>
#include <ranges>

#include "host/recording_cost.hpp"
#include "idle/dominant_event.hpp"
#include "idle/host_activity.hpp"
#include "timeline/integer_median.hpp"

namespace ridge::trace {
namespace {

constexpr nanoseconds least_latency_ns = 2'000, most_latency_ns = 20'000;
// Only the longest absences are searched for what to blame.
constexpr std::size_t most_blamed = 32;

class line_builder {
 public:
  line_builder(const trace& t, std::int32_t device, time_range window, const host_line_options& options)
      : trace_(t), device_(device), window_(window), options_(options) {}

  host_line made(std::span<const host_wait> waits) && {
    add_launches();
    if (line_.works.empty()) return std::move(line_);
    add_waits(waits);
    order();
    measure();
    find_absences();
    return std::move(line_);
  }

 private:
  // A point and when the host goes on from it.
  struct placed_point {
    line_point point{};
    nanoseconds goes_on_ns = 0;
  };

  void add_launches() {
    const auto works = trace_.works_of(device_);
    const auto first = works.empty() ? work_id{0} : static_cast<work_id>(works.data() - trace_.works.data());
    std::map<event_id, std::vector<work_id>> launches;
    for (work_id w = first; w < first + works.size(); ++w) {
      const auto call = trace_.works[w].launch;
      if (call == none || !in_window(trace_.events.start_ns[call])) continue;
      launches[call].push_back(w);
    }
    for (const auto& [call, launched] : launches) add_launch(call, launched);
  }

  [[nodiscard]] bool in_window(nanoseconds time_ns) const {
    return window_.start_ns <= time_ns && time_ns < window_.end_ns;
  }

  void add_launch(event_id call, std::span<const work_id> launched) {
    const auto at = trace_.events.start_ns[call];
    line_point p{.at_ns = at,
                 .thread = trace_.events.track[call],
                 .first_work = static_cast<std::uint32_t>(line_.works.size()),
                 .works = static_cast<std::uint32_t>(launched.size())};
    nanoseconds previous_end = 0;
    for (const auto w : launched) {
      const auto& work = trace_.works[w];
      const auto gap = previous_end == 0 ? 0 : std::max<nanoseconds>(0, work.start_ns - previous_end);
      previous_end = work.end_ns;
      index_of_[w] = static_cast<std::uint32_t>(line_.works.size());
      line_.works.push_back({w, work.duration_ns(), gap, stream_index(work.stream)});
    }
    latencies_.push_back(trace_.works[launched.front()].start_ns - at);
    placed_.push_back({p, at});
  }

  std::uint32_t stream_index(std::int32_t stream) {
    return streams_.try_emplace(stream, static_cast<std::uint32_t>(streams_.size())).first->second;
  }

  void add_waits(std::span<const host_wait> waits) {
    for (const auto& w : waits) {
      if (!in_window(w.range.start_ns)) continue;
      const auto at = index_of_.find(w.waited_for);
      if (w.waited_for == none || at == index_of_.end()) continue;
      placed_.push_back({{.at_ns = w.range.start_ns, .thread = w.thread, .waits_for = at->second},
                         std::min(w.range.end_ns, window_.end_ns)});
    }
  }

  void order() {
    // A call may launch and wait: it launches first.
    std::ranges::stable_sort(placed_, {}, [](const placed_point& p) { return p.point.at_ns; });
    placed_.push_back({{.at_ns = window_.end_ns, .thread = placed_.back().point.thread}, window_.end_ns});
    line_.streams = static_cast<std::uint32_t>(streams_.size());
  }

  void measure() {
    std::vector<track_id> threads;
    for (const auto& p : placed_) {
      if (std::ranges::find(threads, p.point.thread) == threads.end()) threads.push_back(p.point.thread);
    }
    const recording_cost cost(trace_, threads, options_.costs);
    auto from = window_.start_ns;
    for (auto& [p, goes_on] : placed_) {
      p.before = {from, std::max(from, p.at_ns)};
      p.free_ns = p.before.length_ns();
      p.cost_ns = std::min(p.free_ns, cost.within(p.before));
      from = std::max(from, goes_on);
      line_.points.push_back(p);
    }
    bound_costs();
    std::vector<nanoseconds> spacings;
    for (const auto& p : line_.points) {
      if (p.works > 0) spacings.push_back(p.free_ns - p.cost_ns);
    }
    line_.spacing_ns = median(std::move(spacings), middle::lower);
    std::ranges::sort(latencies_);
    line_.latency_ns = std::clamp(latencies_[latencies_.size() / 20], least_latency_ns, most_latency_ns);
  }

  // Where frames follow each other faster than the costs allow, the costs are wrong, not the trace.
  void bound_costs() {
    double free = 0, cost = 0;
    for (const auto& p : line_.points) {
      free += static_cast<double>(p.free_ns);
      cost += static_cast<double>(p.cost_ns);
    }
    const auto most = options_.most_cost_share * free;
    if (cost <= most) return;
    for (auto& p : line_.points)
      p.cost_ns = static_cast<nanoseconds>(static_cast<double>(p.cost_ns) * most / cost);
  }

  void find_absences() {
    const auto spacings =
        static_cast<nanoseconds>(options_.elsewhere_spacings * static_cast<double>(line_.spacing_ns));
    const auto least = std::max(options_.elsewhere_ns, spacings);
    std::vector<std::uint32_t> absent;
    for (std::uint32_t i = 0; i < line_.points.size(); ++i) {
      if (line_.points[i].free_ns - line_.points[i].cost_ns >= least) absent.push_back(i);
    }
    name_absences(absent);
    blame(absent);
  }

  using causes = std::map<std::uint32_t, idle_cause>;

  // The thread that launches next may have slept while the one before it worked: then that one is asked.
  void name_absences(std::span<const std::uint32_t> absent) {
    host_activity activity(trace_);
    const auto own = told_of(absent, activity, [&](std::uint32_t i) { return line_.points[i].thread; });
    const auto other = told_of(absent, activity, [&](std::uint32_t i) { return thread_before(i); });
    for (const auto i :
         std::views::reverse(absent)) {  // a point's thread changes after the next one asked for it
      auto& p = line_.points[i];
      const bool silent = own.at(i) == idle_cause::unknown || own.at(i) == idle_cause::lock;
      const bool asks_other = silent && thread_before(i) != p.thread;
      p.elsewhere = asks_other ? other.at(i) : own.at(i);
      if (asks_other) p.thread = thread_before(i);
      // These have causes of their own.
      constexpr idle_cause otherwise[] = {idle_cause::allocation, idle_cause::code_loading,
                                          idle_cause::copy_call, idle_cause::synchronization,
                                          idle_cause::profiler};
      if (std::ranges::find(otherwise, p.elsewhere) != std::end(otherwise)) p.elsewhere = idle_cause::micro;
    }
  }

  [[nodiscard]] track_id thread_before(std::uint32_t i) const {
    return line_.points[i > 0 ? i - 1 : 0].thread;
  }

  // The cause that most of each absence has, by one sweep over the events of each thread.
  template <class Thread>
  [[nodiscard]] causes told_of(std::span<const std::uint32_t> absent, host_activity& activity,
                               Thread thread_of) const {
    std::map<track_id, std::vector<std::uint32_t>> by_thread;
    for (const auto i : absent) by_thread[thread_of(i)].push_back(i);
    causes found;
    for (const auto& [thread, points] : by_thread) {
      std::vector<time_range> ranges;
      for (const auto i : points) ranges.push_back(line_.points[i].before);
      const auto told = activity.during(thread, ranges);
      std::uint32_t piece = 0;
      for (std::size_t k = 0; k < points.size(); ++k) {
        std::array<nanoseconds, idle_cause_count> sums{};
        for (; piece < told.ends[k]; ++piece)
          sums.at(static_cast<std::size_t>(told.pieces[piece].cause)) += told.pieces[piece].range.length_ns();
        found[points[k]] = static_cast<idle_cause>(std::ranges::max_element(sums) - sums.begin());
      }
    }
    return found;
  }

  void blame(std::vector<std::uint32_t> absent) {
    std::ranges::stable_sort(absent, std::greater{}, [&](auto i) { return line_.points[i].free_ns; });
    if (absent.size() > most_blamed) absent.resize(most_blamed);
    for (const auto i : absent) {
      auto& p = line_.points[i];
      if (!p.is_elsewhere()) continue;
      p.blamed = dominant_event(trace_, p.thread, p.before);
      p.function = dominant_function(trace_, p.thread, p.before);
    }
  }

  const trace& trace_;
  std::int32_t device_;
  time_range window_;
  const host_line_options& options_;
  host_line line_{};
  std::vector<placed_point> placed_{};
  std::map<work_id, std::uint32_t> index_of_{};
  std::map<std::int32_t, std::uint32_t> streams_{};
  std::vector<nanoseconds> latencies_{};
};

}  // namespace

host_line host_line_of(const trace& t, std::int32_t device, time_range window,
                       std::span<const host_wait> waits, const host_line_options& options) {
  return line_builder(t, device, window, options).made(waits);
}

}  // namespace ridge::trace
