// SPDX-License-Identifier: Apache-2.0
#include <ridge/trace/synchronization.hpp>

#include <algorithm>
#include <array>
#include <limits>
#include <map>

#include "host/wait_calls.hpp"
#include "host/waited_work.hpp"
#include "timeline/device_span.hpp"

namespace ridge::trace {
namespace {

time_range span_of_device_work(const trace& t) {
  time_range span{std::numeric_limits<nanoseconds>::max(), std::numeric_limits<nanoseconds>::min()};
  const auto widen = [&](nanoseconds start, nanoseconds end) {
    span = {std::min(span.start_ns, start), std::max(span.end_ns, end)};
  };
  for (const auto& w : t.works) widen(w.start_ns, w.end_ns);
  for (event_id e = 0; e < t.events.size(); ++e) {
    if (t.events.kind[e] == category::api) widen(t.events.start_ns[e], t.events.end_ns(e));
  }
  return span.start_ns <= span.end_ns ? span : time_range{};
}

using device_ranges = std::map<std::int32_t, std::vector<time_range>>;

// Fills a report wait by wait.
class wait_collector {
 public:
  wait_collector(const trace& t, synchronization_report& report) : trace_(t), works_(t), report_(report) {}

  void add(const waiting_call& call) {
    const auto where =
        cut({trace_.events.start_ns[call.call], trace_.events.end_ns(call.call)}, report_.window);
    if (where.length_ns() == 0) return;
    const auto work = works_.of_call(call.call);
    if (!call.surely && work == none) return;
    host_wait w{call.call, trace_.events.track[call.call], call.kind, where, work};
    w.busy_ns = works_.busy_within(call.call, where);
    w.op = call.op;
    w.reads_scalar = call.reads_scalar;
    if (work != none) add_idle_after(w);
    blocked_[w.thread].push_back(where);
    ++counts_[w.thread];
    report_.scalar_reads += w.reads_scalar ? 1U : 0U;
    report_.waits.push_back(w);
  }

  void finish(std::span<const time_range> steps) {
    std::ranges::stable_sort(report_.waits, {}, [&](const host_wait& w) { return w.range.start_ns; });
    std::map<track_id, interval_set> blocked;
    for (auto& [thread, ranges] : blocked_) {
      blocked[thread] = interval_set(std::move(ranges));
      report_.threads.push_back({thread, counts_[thread], blocked[thread].length_ns()});
    }
    std::ranges::stable_sort(report_.threads, std::greater{}, &thread_waits::blocked_ns);
    if (!report_.threads.empty()) report_.blocked_ns = report_.threads.front().blocked_ns;
    for (auto& [device, ranges] : idle_) report_.idle_after_ns += interval_set(std::move(ranges)).length_ns();
    add_groups();
    const auto* main = report_.threads.empty() ? nullptr : &blocked[report_.threads.front().thread];
    for (const auto s : steps) report_.steps.push_back(step_of(s, main));
  }

 private:
  void add_idle_after(host_wait& w) {
    const auto device = trace_.works[w.waited_for].device;
    const auto idle = works_.idle_from(device, trace_.events.end_ns(w.call));
    if (!idle) return;
    const auto in_window = cut(*idle, report_.window);
    w.idle_after_ns = in_window.length_ns();
    if (w.idle_after_ns > 0) idle_[device].push_back(in_window);
  }

  void add_groups() {
    std::map<name_id, wait_group> groups;
    for (const auto& w : report_.waits) {
      auto& g = groups[trace_.events.name[w.call]];
      g.api = trace_.events.name[w.call];
      g.kind = w.kind;
      ++g.count;
      g.ns += w.range.length_ns();
      g.longest_ns = std::max(g.longest_ns, w.range.length_ns());
      g.idle_after_ns += w.idle_after_ns;
      g.scalar_reads += w.reads_scalar ? 1U : 0U;
    }
    for (const auto& [api, g] : groups) report_.groups.push_back(g);
    std::ranges::stable_sort(report_.groups, std::greater{}, &wait_group::ns);
  }

  [[nodiscard]] step_waits step_of(time_range step, const interval_set* main) const {
    step_waits made{.step = step};
    if (main != nullptr) made.blocked_ns = main->within(step).length_ns();
    const auto start = [](const host_wait& w) { return w.range.start_ns; };
    for (auto w = std::ranges::lower_bound(report_.waits, step.start_ns, {}, start);
         w != report_.waits.end() && w->range.start_ns < step.end_ns; ++w) {
      ++made.count;
      made.scalar_reads += w->reads_scalar ? 1U : 0U;
      made.idle_after_ns += w->idle_after_ns;
    }
    return made;
  }

  const trace& trace_;
  waited_work works_;
  synchronization_report& report_;
  std::map<track_id, std::vector<time_range>> blocked_{};
  std::map<track_id, std::uint64_t> counts_{};
  device_ranges idle_{};
};

}  // namespace

std::string_view name(wait_kind k) {
  constexpr std::array<std::string_view, 5> names{"device", "stream", "event", "copy", "other"};
  return names.at(static_cast<std::size_t>(k));
}

synchronization_report host_waits_of(const trace& t, std::optional<time_range> window,
                                     std::span<const time_range> steps) {
  synchronization_report made{.window = window ? *window : span_of_device_work(t)};
  wait_collector collect(t, made);
  for (const auto& call : waiting_calls(t)) collect.add(call);
  collect.finish(steps);
  return made;
}

}  // namespace ridge::trace
