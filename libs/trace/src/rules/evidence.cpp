// SPDX-License-Identifier: Apache-2.0
#include <ridge/trace/evidence.hpp>

#include <algorithm>
#include <limits>
#include <optional>

#include <ridge/trace/activity.hpp>

#include "rules/evidence_device.hpp"

namespace ridge::trace {
namespace {

// With three steps there is one that is neither the first nor the last.
constexpr std::size_t steps_to_choose_from = 3;

trace_evidence look_at(const trace& t, const diagnose_options& options) {
  trace_evidence e{.source = &t};
  e.classes = classes_of(t, options.names);
  e.quality = data_quality_of(t);
  e.steps = steps_of(t);
  if (e.steps.steps.size() >= 2) {
    e.stability = stability_of(e.steps.steady());
    e.stability_of_all = stability_of(e.steps.steps);
  }
  e.waits = host_waits_of(t, {}, e.steps.windows());
  e.launches = launches_of(t);
  e.ops = op_tree_of(t);
  e.chains = fusable_chains_of(t, e.ops);
  return e;
}

time_range span_of_works(std::span<const device_work> works) {
  time_range span{works.front().start_ns, works.front().end_ns};
  for (const auto& w : works) span.end_ns = std::max(span.end_ns, w.end_ns);
  return span;
}

// Returns the time of the works that were launched in the host's window: from the first one's start to the
// start of the first that was launched later, or to the last one's end. A host that runs ahead has ended its
// steps before the device begins them. nullopt where nothing was launched in it.
std::optional<time_range> time_of_launched(const trace& t, std::int32_t device, time_range host) {
  std::optional<time_range> span;
  auto next = std::numeric_limits<nanoseconds>::max();
  for (const auto& w : t.works_of(device)) {
    if (w.launch == none) continue;
    const auto launched = t.events.start_ns[w.launch];
    if (launched >= host.end_ns) next = std::min(next, w.start_ns);
    if (launched < host.start_ns || launched >= host.end_ns) continue;
    if (!span) span = time_range{w.start_ns, w.end_ns};
    span->end_ns = std::max(span->end_ns, w.end_ns);
  }
  if (span && next != std::numeric_limits<nanoseconds>::max() && next > span->start_ns) span->end_ns = next;
  return span;
}

// From the first launch to the last: what the host does after it is not the program's.
std::optional<time_range> time_of_launches(const trace& t, std::int32_t device) {
  std::optional<time_range> span;
  for (const auto& w : t.works_of(device)) {
    if (w.launch == none) continue;
    const auto at = t.events.start_ns[w.launch];
    if (!span) span = time_range{at, at + 1};
    span->start_ns = std::min(span->start_ns, at);
    span->end_ns = std::max(span->end_ns, at + 1);
  }
  return span;
}

void choose_window(const trace& t, const trace_evidence& evidence, const diagnose_options& options,
                   device_evidence& d) {
  d.window = span_of_works(t.works_of(d.device));
  d.host_window = time_of_launches(t, d.device).value_or(d.window);
  d.steps = d.steps_of_trace = evidence.steps.steps.size();
  if (options.whole_trace || evidence.steps.steps.size() < steps_to_choose_from) return;
  const auto steady = window_of(evidence.steps.steady());
  const auto all = d.window;
  const time_range both =
      time_of_launched(t, d.device, steady)
          .value_or(time_range{std::max(steady.start_ns, all.start_ns), std::min(steady.end_ns, all.end_ns)});
  if (both.length_ns() <= 0) return;
  d.window = both;
  d.host_window = steady;
  d.steps = evidence.steps.steady().size();
}

// Divides the window by what ran in it, as device_partition counts it.
struct states {
  std::vector<time_range> compute{}, communication{}, copies{};
  void add(const activity_change& now, time_range range) {
    if (now.ran(work_class::compute) || now.ran(work_class::fill))
      compute.push_back(range);
    else if (now.ran(work_class::communication))
      communication.push_back(range);
    else if (now.ran(work_class::copy))
      copies.push_back(range);
  }
};

void cut_window(const trace& t, const trace_evidence& evidence, device_evidence& d) {
  const auto activity = activity_of(t, evidence.classes, d.device);
  states s;
  for (std::size_t i = 0; i + 1 < activity.changes.size(); ++i)
    s.add(activity.changes[i], {activity.changes[i].start_ns, activity.changes[i + 1].start_ns});
  d.compute = interval_set(std::move(s.compute)).within(d.window);
  d.exposed_communication = interval_set(std::move(s.communication)).within(d.window);
  d.exposed_copies = interval_set(std::move(s.copies)).within(d.window);
  d.idle_time =
      d.compute.united_with(d.exposed_communication).united_with(d.exposed_copies).gaps_in(d.window);
}

std::vector<kernel_row> rows_of(const trace& t, const trace_evidence& evidence, const device_evidence& d) {
  auto rows = kernel_table(t, evidence.classes, {.by_shape = true, .window = d.window, .steps = d.steps});
  std::erase_if(rows, [&](const kernel_row& r) { return r.device != d.device; });
  return rows;
}

const line_point* longest_absence(const host_line& line) {
  const line_point* longest = nullptr;
  for (const auto& p : line.points) {
    if (p.is_absence() && (!longest || p.free_ns > longest->free_ns)) longest = &p;
  }
  return longest;
}

// Whether the host was in the same frame or operator there, by name, or where none is known did the same kind
// of thing.
bool in_the_same_place(const trace& t, const line_point& a, const line_point& b) {
  if (a.blamed == none || b.blamed == none) return a.blamed == b.blamed && a.elsewhere == b.elsewhere;
  return t.name_of(a.blamed) == t.name_of(b.blamed);
}

std::size_t absences_like_the_longest(const trace& t, const trace_evidence& evidence,
                                      const device_evidence& d) {
  const auto* longest = longest_absence(d.line);
  if (!longest) return 0;
  const auto whole = time_of_launches(t, d.device).value_or(d.host_window);
  const auto line = host_line_of(t, d.device, whole, evidence.waits.waits);
  return static_cast<std::size_t>(std::ranges::count_if(line.points, [&](const line_point& p) {
    return p.is_absence() && p.free_ns >= longest->free_ns / 2 && in_the_same_place(t, p, *longest);
  }));
}

device_evidence look_at(const trace_evidence& evidence, std::uint32_t trace_index, std::int32_t device,
                        const diagnose_options& options) {
  const auto& t = *evidence.source;
  device_evidence d{.trace = trace_index, .device = device};
  choose_window(t, evidence, options, d);
  d.partition = partition_windows(t, evidence.classes, device, {{d.window}}).front();
  cut_window(t, evidence, d);
  d.idle = idle_of(t, device, d.window);
  d.line = host_line_of(t, device, d.host_window, evidence.waits.waits);
  d.like_absences = absences_like_the_longest(t, evidence, d);
  d.outlook = outlook_of(d.line, d.window.length_ns());
  d.copies = copies_of(t, evidence.classes, device, d.window, evidence.steps.windows());
  d.kernels = rows_of(t, evidence, d);
  know_device(t, options.devices, d);
  d.costs = op_costs_of(t, evidence.ops, d.peaks, {.window = d.window, .device = device});
  d.contention = contention_of(t, device, evidence.classes);
  return d;
}

void look_at_devices(evidence& e, const diagnose_options& options) {
  for (std::uint32_t i = 0; i < e.traces.size(); ++i) {
    for (const auto device : e.traces[i].source->working_devices()) {
      auto d = look_at(e.traces[i], i, device, options);
      if (d.window.length_ns() <= 0) continue;
      d.pool = static_cast<std::uint32_t>(e.windows.size());
      e.windows.push_back(d.window);
      e.devices.push_back(std::move(d));
    }
  }
}

void compare(evidence& e, std::span<const trace> traces, const diagnose_options& options) {
  if (!options.baseline || traces.empty() || e.devices.empty()) return;
  const auto before = classes_of(*options.baseline, options.names);
  const auto old_steps = steps_of(*options.baseline).windows(), new_steps = e.traces.front().steps.windows();
  const bool by_step = !old_steps.empty() && !new_steps.empty();
  e.diff =
      diff_of({.source = options.baseline,
               .classes = before,
               .steps = by_step ? std::span<const time_range>(old_steps) : std::span<const time_range>()},
              {.source = &traces.front(),
               .classes = e.traces.front().classes,
               .steps = by_step ? std::span<const time_range>(new_steps) : std::span<const time_range>()});
}

}  // namespace

double device_evidence::share(nanoseconds part) const {
  const auto length = outlook.window_ns > 0 ? outlook.window_ns : window.length_ns();
  return length > 0 ? std::min(1.0, static_cast<double>(part) / static_cast<double>(length)) : 0;
}

evidence gather(std::span<const trace> traces, const diagnose_options& options) {
  evidence e{.names = options.names, .inputs = options.inputs};
  for (const auto& t : traces) e.traces.push_back(look_at(t, options));
  look_at_devices(e, options);
  judge_kernels(e, options);
  if (!e.devices.empty()) e.communication = communication_of(traces, options.names);
  compare(e, traces, options);
  return e;
}

}  // namespace ridge::trace
