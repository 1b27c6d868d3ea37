// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "rules/rules_idle.hpp"
#include "timeline/integer_median.hpp"

namespace ridge::trace {
namespace {

using ranges_by_thread = std::map<track_id, interval_set>;

ranges_by_thread waits_by_thread(const trace_evidence& evidence) {
  std::map<track_id, std::vector<time_range>> ranges;
  for (const auto& w : evidence.waits.waits) ranges[w.thread].push_back(w.range);
  ranges_by_thread sets;
  for (auto& [thread, of] : ranges) sets.emplace(thread, interval_set(std::move(of)));
  return sets;
}

nanoseconds waited_in(const interval_set& waits, time_range r) {
  nanoseconds sum = 0;
  const auto all = waits.ranges();
  auto at = std::ranges::upper_bound(all, r.start_ns, {}, &time_range::end_ns);
  for (; at != all.end() && at->start_ns < r.end_ns; ++at)
    sum += std::min(at->end_ns, r.end_ns) - std::max(at->start_ns, r.start_ns);
  return sum;
}

// Host time per launch: the median time from one launch call to the next on a thread, excluding waits for the
// device.
nanoseconds launch_spacing(const trace_evidence& evidence, const device_evidence& d) {
  const auto& t = *evidence.source;
  std::vector<event_id> calls;
  for (const auto& w : t.works_of(d.device)) {
    if (w.launch != none && d.window.start_ns <= w.start_ns && w.start_ns < d.window.end_ns)
      calls.push_back(w.launch);
  }
  std::ranges::sort(calls);  // events are ordered by track and start
  calls.erase(std::unique(calls.begin(), calls.end()), calls.end());
  const auto waits = waits_by_thread(evidence);
  std::vector<nanoseconds> spacings;
  for (std::size_t i = 1; i < calls.size(); ++i) {
    const auto track = t.events.track[calls[i]];
    if (t.events.track[calls[i - 1]] != track) continue;
    const time_range between{t.events.start_ns[calls[i - 1]], t.events.start_ns[calls[i]]};
    const auto at = waits.find(track);
    spacings.push_back(between.length_ns() - (at == waits.end() ? 0 : waited_in(at->second, between)));
  }
  return median(std::move(spacings), middle::lower);
}

nanoseconds median_kernel(const trace& t, const device_evidence& d) {
  std::vector<nanoseconds> durations;
  for (const auto& w : t.works_of(d.device)) {
    if (w.kind == category::kernel && d.window.start_ns <= w.start_ns && w.start_ns < d.window.end_ns)
      durations.push_back(w.duration_ns());
  }
  return median(std::move(durations), middle::lower);
}

// Returns the time that the device waited after the host had waited for it, where nothing but the host's
// preparation of new work is to blame.
interval_set idle_after_waits(const evidence& e, const device_evidence& d, nanoseconds longest_latency,
                              nanoseconds& longest, std::size_t& count) {
  const auto& in = e.of(d);
  std::vector<time_range> after;
  for (const auto& w : in.waits.waits) {
    if (w.waited_for == none || in.source->works[w.waited_for].device != d.device) continue;
    if (w.range.start_ns < d.window.start_ns || w.range.end_ns > d.window.end_ns) continue;
    ++count;
    longest = std::max(longest, w.range.length_ns());
    if (w.idle_after_ns > 0) after.push_back({w.range.end_ns, w.range.end_ns + w.idle_after_ns});
  }
  return interval_set(std::move(after)).intersected_with(preparing_time(d, longest_latency));
}

nanoseconds latency_limit(const rule& r) { return static_cast<nanoseconds>(r.limit("latency_ns")); }

struct pauses {
  interval_set ranges{};
  std::vector<nanoseconds> lengths{};
};

// The longest gap that touches the end of each step, within a tenth of the step.
const idle_gap* gap_at(const device_evidence& d, time_range step) {
  const auto near = step.length_ns() / 10;
  const idle_gap* longest = nullptr;
  for (const auto& g : d.idle.gaps) {
    if (g.range.end_ns < step.end_ns - near || g.range.start_ns > step.end_ns + near) continue;
    if (!longest || g.range.length_ns() > longest->range.length_ns()) longest = &g;
  }
  return longest;
}

pauses pauses_of(const device_evidence& d, const trace_evidence& evidence, nanoseconds at_least) {
  pauses found;
  std::vector<time_range> ranges;
  for (const auto& s : evidence.steps.steady()) {
    const auto* g = gap_at(d, s.window);
    if (!g || g->range.length_ns() < at_least) continue;
    ranges.push_back(g->range);
    found.lengths.push_back(g->range.length_ns());
  }
  const auto others =
      idle_with(d, {idle_cause::data_loading, idle_cause::allocation, idle_cause::code_loading});
  found.ranges = interval_set(std::move(ranges)).without(others).within(d.window);
  return found;
}

nanoseconds median_gap(const device_evidence& d) {
  std::vector<nanoseconds> lengths;
  for (const auto& g : d.idle.gaps) lengths.push_back(g.range.length_ns());
  return median(std::move(lengths), middle::lower);
}

}  // namespace

outcome i2_launches(const evidence& e, const rule& r) {
  outcome out;
  for (const auto& d : e.devices) {
    const auto& t = e.trace_of(d);
    const auto where = preparing_time(d, latency_limit(r));
    const auto idle = where.length_ns(), all = d.idle_time.length_ns();
    if (all == 0 || d.share(idle) < r.limit("idle_share")) continue;
    const auto spacing = launch_spacing(e.of(d), d), kernel = median_kernel(t, d);
    const bool late = static_cast<double>(idle) >= r.limit("host_late_share") * static_cast<double>(all);
    const bool small = static_cast<double>(kernel) < r.limit("kernel_to_api") * static_cast<double>(spacing);
    if (!late || !small) continue;
    auto c = about(d, where, idle, "idle while the host prepares the next launch");
    c.rows.push_back({.description = "median from launch to launch",
                      .value = static_cast<double>(spacing),
                      .unit = "ns",
                      .trace = d.trace,
                      .device = d.device});
    c.rows.push_back({.description = "median kernel",
                      .value = static_cast<double>(kernel),
                      .unit = "ns",
                      .trace = d.trace,
                      .device = d.device});
    c.words["idle"] = time_text(idle);
    c.words["kernel"] = time_text(kernel);
    c.words["api"] = time_text(spacing);
    c.words["times"] = fmt::format("{:g}", r.limit("kernel_to_api"));
    out.found.push_back(std::move(c));
  }
  return out;
}

outcome i4_synchronization(const evidence& e, const rule& r) {
  outcome out;
  for (const auto& d : e.devices) {
    nanoseconds longest = 0;
    std::size_t count = 0;
    const auto where = idle_after_waits(e, d, latency_limit(r), longest, count);
    const auto idle = where.length_ns();
    if (static_cast<double>(longest) < r.limit("longest_ns") || d.share(idle) < r.limit("share")) continue;
    auto c = about(d, where, idle, "idle after the host had waited for the device");
    c.words["count"] = std::to_string(count);
    c.words["longest"] = time_text(longest);
    c.words["idle"] = time_text(idle);
    out.found.push_back(std::move(c));
  }
  return out;
}

outcome i7_pauses(const evidence& e, const rule& r) {
  outcome out;
  for (const auto& d : e.devices) {
    const auto& in = e.of(d);
    const auto least = static_cast<nanoseconds>(r.limit("times") * static_cast<double>(median_gap(d)));
    const auto found = pauses_of(d, in, std::max<nanoseconds>(least, 1));
    const auto idle = found.ranges.length_ns();
    if (static_cast<double>(found.lengths.size()) < r.limit("count") || d.share(idle) < r.limit("share"))
      continue;
    auto c = about(d, found.ranges, idle, "gaps at the ends of steps");
    c.words["count"] = std::to_string(found.lengths.size());
    c.words["steps"] = std::to_string(in.steps.steady().size());
    c.words["median"] = time_text(median(found.lengths, middle::lower));
    c.words["idle"] = time_text(idle);
    out.found.push_back(std::move(c));
  }
  return out;
}

interval_set idle_with(const device_evidence& d, std::initializer_list<idle_cause> causes) {
  std::vector<time_range> ranges;
  for (const auto& p : d.idle.pieces) {
    if (std::ranges::find(causes, p.cause) != causes.end()) ranges.push_back(p.range);
  }
  return interval_set(std::move(ranges)).within(d.window);
}

interval_set preparing_time(const device_evidence& d, nanoseconds longest_latency) {
  std::vector<time_range> ranges;
  for (const auto& p : d.idle.pieces) {
    if (p.cause == idle_cause::launch_latency && p.range.length_ns() <= longest_latency)
      ranges.push_back(p.range);
  }
  const auto host = idle_with(d, {idle_cause::framework, idle_cause::python, idle_cause::other_api,
                                  idle_cause::launch_api, idle_cause::unknown});
  return host.united_with(interval_set(std::move(ranges)).within(d.window));
}

event_id longest_blamed(const device_evidence& d, std::initializer_list<idle_cause> causes) {
  const idle_piece* longest = nullptr;
  for (const auto& p : d.idle.pieces) {
    if (std::ranges::find(causes, p.cause) == causes.end()) continue;
    if (!longest || p.range.length_ns() > longest->range.length_ns()) longest = &p;
  }
  return longest ? longest->blamed : none;
}

}  // namespace ridge::trace
