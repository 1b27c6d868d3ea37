// SPDX-License-Identifier: Apache-2.0
#include <ridge/trace/launches.hpp>

#include <algorithm>
#include <map>
#include <numeric>
#include <span>

#include "host/launch_queue.hpp"

namespace ridge::trace {
namespace {

std::vector<work_id> chosen_works(const trace& t, std::optional<std::int32_t> device,
                                  std::optional<time_range> window, bool kernels_only) {
  std::vector<work_id> chosen;
  for (work_id w = 0; w < t.works.size(); ++w) {
    const auto& work = t.works[w];
    if (device && work.device != *device) continue;
    if (kernels_only && work.kind != category::kernel) continue;
    if (window && (work.start_ns < window->start_ns || work.start_ns >= window->end_ns)) continue;
    chosen.push_back(w);
  }
  return chosen;
}

time_range span_of_launched(const trace& t, const std::vector<work_id>& works) {
  if (works.empty()) return {};
  time_range span{t.works[works.front()].start_ns, t.works[works.front()].end_ns};
  for (const auto w : works) {
    span.start_ns = std::min(span.start_ns, t.works[w].start_ns);
    span.end_ns = std::max(span.end_ns, t.works[w].end_ns);
  }
  return span;
}

// Counts and durations, work by work.
void count_launched_works(const trace& t, const std::vector<work_id>& works, const launch_options& options,
                          launch_report& report) {
  std::vector<nanoseconds> calls, durations, after_end, after_start;
  for (const auto id : works) {
    const auto& w = t.works[id];
    report.device_ns += w.duration_ns();
    report.short_of_all += w.duration_ns() < options.short_below_ns ? 1U : 0U;
    if (w.launch == none) {
      ++report.uncorrelated;
      continue;
    }
    const auto start = t.events.start_ns[w.launch], end = t.events.end_ns(w.launch);
    calls.push_back(end - start);
    durations.push_back(w.duration_ns());
    after_end.push_back(std::max<nanoseconds>(0, w.start_ns - end));
    after_start.push_back(std::max<nanoseconds>(0, w.start_ns - start));
    report.shorter_than_call += w.duration_ns() < end - start ? 1U : 0U;
    report.short_works += w.duration_ns() < options.short_below_ns ? 1U : 0U;
    report.before_launch += w.start_ns < start ? 1U : 0U;
  }
  report.correlated = calls.size();
  report.call = summary_of(std::move(calls));
  report.work = summary_of(std::move(durations));
  report.delay_after_end = summary_of(std::move(after_end));
  report.delay_after_start = summary_of(std::move(after_start));
}

void find_graphs(const trace& t, const std::vector<work_id>& works, std::span<const work_id> order,
                 launch_report& report) {
  std::vector<bool> in_graph(t.works.size());
  for (std::size_t i = 0; i < order.size();) {
    graph_launch g{t.works[order[i]].launch, 0, {t.works[order[i]].start_ns, t.works[order[i]].end_ns}};
    const auto first = i;
    for (; i < order.size() && t.works[order[i]].launch == g.call; ++i, ++g.works) {
      g.device.start_ns = std::min(g.device.start_ns, t.works[order[i]].start_ns);
      g.device.end_ns = std::max(g.device.end_ns, t.works[order[i]].end_ns);
    }
    ++report.launch_calls;
    if (g.works < 2) continue;
    report.graphs.push_back(g);
    for (auto k = first; k < i; ++k) in_graph[order[k]] = true;
  }
  std::ranges::stable_sort(report.graphs, {},
                           [&](const graph_launch& g) { return t.events.start_ns[g.call]; });
  for (const auto w : works) {
    if (!in_graph[w] && t.works[w].graph == 0) continue;
    ++report.graph_works;
    report.graph_device_ns += t.works[w].duration_ns();
  }
}

// Graph launches in the window (else in the trace: those before the first work whose kernels were recorded
// count too) whose works the trace does not hold.
std::uint64_t count_opaque(const trace& t, std::optional<time_range> window) {
  std::vector<bool> launches_graphs(t.names.size()), known(t.events.size());
  bool any = false;
  for (name_id n = 0; n < t.names.size(); ++n) {
    launches_graphs[n] = t.names[n].find("GraphLaunch") != std::string_view::npos;
    any = any || launches_graphs[n];
  }
  if (!any) return 0;
  for (const auto& w : t.works) {
    if (w.launch != none) known[w.launch] = true;
  }
  std::uint64_t count = 0;
  for (event_id e = 0; e < t.events.size(); ++e) {
    const auto start = t.events.start_ns[e];
    const auto in = !window || (start >= window->start_ns && start < window->end_ns);
    if (in && t.events.kind[e] == category::api && launches_graphs[t.events.name[e]] && !known[e]) ++count;
  }
  return count;
}

// The calls of one thread that launched work, and those of them that launched kernels.
struct thread_calls {
  std::vector<time_range> all{}, of_kernels{};
};

// The thread that spends most time in launching kernels: a copy's call may wait for the device.
void find_busiest_thread(const trace& t, std::span<const work_id> order, launch_report& report) {
  std::map<track_id, thread_calls> threads;
  for (std::size_t i = 0; i < order.size();) {
    const auto call = t.works[order[i]].launch;
    const time_range range{t.events.start_ns[call], t.events.end_ns(call)};
    bool kernel = false;
    for (; i < order.size() && t.works[order[i]].launch == call; ++i)
      kernel = kernel || t.works[order[i]].kind == category::kernel;
    auto& on_thread = threads[t.events.track[call]];
    on_thread.all.push_back(range);
    if (kernel) on_thread.of_kernels.push_back(range);
  }
  for (auto& [track, calls] : threads) {
    if (calls.of_kernels.empty()) continue;
    const auto ns = interval_set(std::move(calls.of_kernels)).within(report.window).length_ns();
    if (report.busiest_thread != none && ns <= report.call_ns) continue;
    report.busiest_thread = track;
    report.call_ns = ns;
    report.thread_calls = calls.all.size();
    report.thread_call_ns = interval_set(calls.all).within(report.window).length_ns();
  }
}

}  // namespace

duration_summary summary_of(std::vector<nanoseconds> durations) {
  if (durations.empty()) return {};
  auto rest = durations.begin();
  const auto at = [&](std::size_t percent) {  // asked for ascending ranks
    const auto place = durations.begin() + static_cast<std::ptrdiff_t>(durations.size() * percent / 100);
    std::nth_element(rest, place, durations.end());
    rest = place;
    return *place;
  };
  const auto [min, max] = std::ranges::minmax(durations);
  duration_summary s{.count = durations.size(),
                     .sum_ns = std::accumulate(durations.begin(), durations.end(), nanoseconds{0}),
                     .min_ns = min};
  s.p50_ns = at(50);
  s.p95_ns = at(95);
  s.p99_ns = at(99);
  s.max_ns = max;
  return s;
}

double stream_queue::mean_length() const {
  return span_ns > 0 ? static_cast<double>(waiting_item_ns) / static_cast<double>(span_ns) : 0;
}

double launch_report::launch_bound_ratio() const {
  const auto length = window.length_ns();
  return length > 0 ? static_cast<double>(call_ns) / static_cast<double>(length) : 0;
}

double launch_report::graph_coverage() const {
  return device_ns > 0 ? static_cast<double>(graph_device_ns) / static_cast<double>(device_ns) : 0;
}

launch_report launches_of(const trace& t, std::optional<std::int32_t> device,
                          std::optional<time_range> window, const launch_options& options) {
  const auto works = chosen_works(t, device, window, options.kernels_only);
  launch_report made{.window = window.value_or(span_of_launched(t, works))};
  count_launched_works(t, works, options, made);
  const auto order = by_call(t, works);
  find_graphs(t, works, order, made);
  const auto entries = queue_entries(t, order);
  made.queues = queues_of(entries, options.queue_limit);
  made.longest_in_flight = longest_in_flight(entries);
  made.opaque_graphs = count_opaque(t, window);
  find_busiest_thread(t, order, made);
  return made;
}

}  // namespace ridge::trace
