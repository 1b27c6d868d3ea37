// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include <ridge/trace/phases.hpp>

#include "rules/idle_cause_text.hpp"
#include "rules/op_works.hpp"
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

struct read_backs {
  std::size_t count = 0;
  nanoseconds longest_ns = 0;
  event_id op = none;  // the operator around the longest
  std::set<event_id> ops{};
};

// What a program saves that neither waits nor launches what it waits for: the operators that read back.
nanoseconds saved_without(const evidence& e, const device_evidence& d, const read_backs& waits) {
  const auto works = works_under(e, d, [&](event_id op) { return waits.ops.contains(op); });
  return saved_by(d, e.trace_of(d),
                  {.works = works,
                   .factor = [](work_id) { return 0.0; },
                   .launched_no_more = true,
                   .waited_no_more = true});
}

read_backs read_backs_of(const evidence& e, const device_evidence& d) {
  const auto& in = e.of(d);
  read_backs found;
  for (const auto& w : in.waits.waits) {
    if (w.waited_for == none || in.source->works[w.waited_for].device != d.device) continue;
    if (w.range.start_ns < d.host_window.start_ns || w.range.end_ns > d.host_window.end_ns) continue;
    ++found.count;
    if (w.op != none) found.ops.insert(w.op);
    if (w.range.length_ns() <= found.longest_ns) continue;
    found.longest_ns = w.range.length_ns();
    found.op = w.op;
  }
  return found;
}

// Copies of a few bytes to the host, which programs wait for.
interval_set tiny_reads(const evidence& e, const device_evidence& d) {
  constexpr std::int64_t tiny_bytes = 4096;
  return times_of(e.trace_of(d), d,
                  [&](const device_work& w) {
                    return w.kind == category::copy && w.copy == copy_kind::device_to_host &&
                           w.bytes <= tiny_bytes;
                  })
      .intersected_with(d.exposed_copies);
}

void add_row(candidate& c, const device_evidence& d, std::string_view label, nanoseconds value) {
  c.rows.push_back({.description = std::string(label),
                    .value = static_cast<double>(value),
                    .unit = "ns",
                    .trace = d.trace,
                    .device = d.device});
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
    const auto all = d.idle_time.length_ns();
    const auto saved =
        d.outlook.known ? std::min(where.length_ns(), d.outlook.preparation_ns) : where.length_ns();
    if (all == 0 || d.share(saved) < r.limit("idle_share")) continue;
    const auto spacing = launch_spacing(e.of(d), d), kernel = median_kernel(t, d);
    const bool late = static_cast<double>(where.length_ns()) >=
                      r.limit("host_late_share") * static_cast<double>(all - d.outlook.profiler_ns);
    const bool small = static_cast<double>(kernel) < r.limit("kernel_to_api") * static_cast<double>(spacing);
    if (!late || !small) continue;
    auto c = about(d, where, saved, "idle while the host prepares the next launch");
    add_row(c, d, "median from launch to launch", spacing);
    add_row(c, d, "median kernel", kernel);
    add_row(c, d, "of the window, what recording cost the host, estimated", d.outlook.profiler_ns);
    // Were recording to cost that many times the estimate, a good part would still be left.
    const bool certain =
        static_cast<double>(saved) >= r.limit("certain_times") * static_cast<double>(d.outlook.profiler_ns);
    c.alarm_share = r.limit(certain ? "certain_alarm_share" : "alarm_share");
    c.words["idle"] = time_text(saved);
    c.words["share"] = share_text(d.share(saved));
    c.words["kernel"] = time_text(kernel);
    c.words["api"] = time_text(spacing);
    c.words["phase"] = phase_text(e, d, where);
    c.words["times"] = fmt::format("{:g}", r.limit("kernel_to_api"));
    c.words["advice"] =
        mostly_captured(e.of(d))
            ? "Much of it is launched by graphs already: capture what is left, and make graphs larger."
            : "Capture the step in a CUDA graph, compile it, fuse small kernels, or give each launch a "
              "larger batch.";
    out.found.push_back(std::move(c));
  }
  return out;
}

outcome i4_synchronization(const evidence& e, const rule& r) {
  outcome out;
  for (const auto& d : e.devices) {
    const auto& t = e.trace_of(d);
    const auto waits = read_backs_of(e, d);
    if (waits.count == 0) continue;
    const auto where = d.idle_time.without(absent_time(d)).united_with(tiny_reads(e, d));
    const auto saved = std::min(where.length_ns(), std::max(d.outlook.waits_ns, saved_without(e, d, waits)));
    if (d.share(saved) < r.limit("share")) continue;
    auto c = about(d, where, saved, "idle that the host's waiting causes");
    c.rows.front().event = waits.op;
    c.words["count"] = std::to_string(waits.count);
    c.words["longest"] = time_text(waits.longest_ns);
    c.words["idle"] = time_text(saved);
    c.words["share"] = share_text(d.share(saved));
    c.words["phase"] = phase_text(e, d, where);
    c.words["op"] = waits.op == none ? "" : fmt::format("; the longest is in {}", t.name_of(waits.op));
    out.found.push_back(std::move(c));
  }
  return out;
}

// "mostly in train.py(12): load", "mostly in decode of train.py(12): load", "mostly while a lock was waited
// for".
std::string place_text(const trace& t, const line_point& p) {
  const auto function = short_name(t.names[p.function]);
  if (p.blamed != none) {
    const auto event = short_name(t.name_of(p.blamed));
    return function.empty() ? fmt::format("mostly in {}", event)
                            : fmt::format("mostly in {} of {}", function, event);
  }
  return function.empty() ? fmt::format("mostly while {}", idle_cause_text(p.elsewhere))
                          : fmt::format("mostly in {}", function);
}

// Says what the host did where it was elsewhere: the function, frame or operator with most of the time, by
// name, else what kind of thing.
std::string absences_text(const trace& t, const device_evidence& d) {
  std::map<std::string, nanoseconds> by_name;
  for (const auto& p : d.line.points) {
    if (!p.is_absence()) continue;
    by_name[place_text(t, p)] += p.free_ns;
  }
  const auto most = std::ranges::max_element(by_name, {}, [](const auto& one) { return one.second; });
  return most == by_name.end() ? std::string() : most->first;
}

// With so many steps in a trace, what is part of each step is there more than once.
constexpr std::size_t steps_to_recur = 3;

outcome i10_elsewhere(const evidence& e, const rule& r) {
  outcome out;
  for (const auto& d : e.devices) {
    std::size_t count = 0;
    nanoseconds longest = 0;
    event_id blamed = none;
    std::vector<time_range> ranges;
    for (const auto& p : d.line.points) {
      if (!p.is_absence()) continue;
      ++count;
      ranges.push_back(p.before);
      if (p.free_ns <= longest) continue;
      longest = p.free_ns;
      blamed = p.blamed;
    }
    auto where = interval_set(std::move(ranges)).intersected_with(d.idle_time);
    // An absence before a step's first launch idles the device at the end of the window before.
    if (where.length_ns() < d.outlook.elsewhere_ns) where = d.idle_time;
    const auto saved = std::min(where.length_ns(), d.outlook.elsewhere_ns);
    if (count == 0 || d.share(saved) < r.limit("share")) continue;
    auto c = about(d, where, saved, "idle while the host was elsewhere");
    c.rows.front().event = blamed;
    c.words["idle"] = time_text(saved);
    c.words["share"] = share_text(d.share(saved));
    c.words["count"] = std::to_string(count);
    c.words["longest"] = time_text(longest);
    c.words["place"] = absences_text(e.trace_of(d), d);
    const bool once = d.like_absences < 2 && d.steps_of_trace >= steps_to_recur;
    if (once) c.alarm = false;
    c.words["once"] =
        once ? fmt::format("; no other of the trace's {} steps has the like", d.steps_of_trace) : "";
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

bool mostly_captured(const trace_evidence& evidence) {
  constexpr double captured = 0.5;  // of device time
  return evidence.launches.graph_coverage() >= captured;
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

interval_set absent_time(const device_evidence& d) {
  std::vector<time_range> ranges;
  for (const auto& p : d.line.points)
    if (p.is_elsewhere()) ranges.push_back(p.before);
  return interval_set(std::move(ranges)).within(d.window);
}

std::string phase_text(const evidence& e, const device_evidence& d, const interval_set& times) {
  const auto report = phases_of(e.trace_of(d), d.device, d.window);
  std::array<nanoseconds, phase_count> sums{};
  for (const auto& s : report.stretches)
    sums.at(static_cast<std::size_t>(s.kind)) += times.within(s.range).length_ns();
  const auto most = std::ranges::max_element(sums) - sums.begin();
  const auto kind = static_cast<phase>(most);
  if (kind == phase::other || 2 * sums.at(static_cast<std::size_t>(most)) < times.length_ns()) return "";
  return fmt::format(", most of it in the {} phase", name(kind));
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
