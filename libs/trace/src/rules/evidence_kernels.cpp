// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "rules/evidence_device.hpp"

namespace ridge::trace {
namespace {

// Operators shorter than this share of the window are not judged one by one.
constexpr double least_share = 0.01;

nanoseconds nanoseconds_of(double seconds) { return static_cast<nanoseconds>(std::llround(seconds * 1e9)); }

// Returns shapes on one line: some traces write one number per line.
std::string on_one_line(std::string_view dims) {
  std::string line;
  for (const char c : dims) {
    if (c == ' ' || c == '\n' || c == '\t' || c == '\r') continue;
    line += c;
    if (c == ',') line += ' ';
  }
  return line;
}

void judge_operators(evidence& e, const device_evidence& d) {
  const auto& t = e.trace_of(d);
  for (const auto& c : d.costs.ops) {
    if (d.share(c.device_ns) < least_share) break;
    if (!c.model) continue;
    judged_kernel k{.pool = d.pool, .trace = d.trace, .device = d.device, .subject = subject_of(t, c)};
    k.ranges = times_of(t, d, [&](const device_work& w) { return w.name == c.main_kernel; });
    k.time_ns = std::min(c.device_ns, k.ranges.length_ns());
    k.share = d.share(k.time_ns);
    k.verdict = verdict_of(c);
    k.cost = &c;
    e.kernels.push_back(std::move(k));
  }
}

const device_evidence* device_running(const evidence& e, std::uint32_t trace_index, const device_work& w) {
  const auto at = std::ranges::find_if(
      e.devices, [&](const device_evidence& d) { return d.trace == trace_index && d.device == w.device; });
  return at == e.devices.end() ? nullptr : &*at;
}

const known_work* work_of(std::string_view kernel, std::span<const known_work> all) {
  const auto at = std::ranges::find_if(
      all, [&](const known_work& w) { return kernel.find(w.kernel) != std::string_view::npos; });
  return at == all.end() ? nullptr : &*at;
}

judged_kernel judged_by_counters(const trace& t, const kernel_counters& c, const device_peaks& peaks,
                                 std::span<const known_work> work) {
  judged_kernel k{.subject = std::string(t.names[c.name]), .counters = &c};
  verdict_context context{.peaks = peaks};
  if (c.work != none) context.timeline_s = static_cast<double>(t.works[c.work].duration_ns()) / 1e9;
  if (const auto* known = work_of(t.names[c.name], work)) {
    if (known->flops > 0) context.flops = known->flops;
    k.footprint = known->bytes;
  }
  k.verdict = verdict_of(c, context);
  return k;
}

// Judges kernels with counters that are on the timeline as well.
void judge_on_timeline(evidence& e, std::uint32_t trace_index, std::span<const known_work> work) {
  auto& in = e.traces[trace_index];
  for (const auto& c : in.counters) {
    if (c.work == none) continue;
    const auto& w = in.source->works[c.work];
    const auto* d = device_running(e, trace_index, w);
    if (!d) continue;
    auto k = judged_by_counters(*in.source, c, d->peaks, work);
    k.pool = d->pool;
    k.trace = trace_index;
    k.device = w.device;
    k.ranges = interval_set({{w.start_ns, w.end_ns}}).within(d->window);
    k.time_ns = k.ranges.length_ns();
    k.share = d->share(k.time_ns);
    e.kernels.push_back(std::move(k));
  }
}

// Judges counters without a timeline: the kernels stand one after the other with their own durations.
void judge_alone(evidence& e, std::uint32_t trace_index, const device_peaks& peaks,
                 std::span<const known_work> work) {
  auto& in = e.traces[trace_index];
  nanoseconds at = 0;
  const auto first = e.kernels.size();
  for (const auto& c : in.counters) {
    if (!c.duration_s || c.work != none) continue;
    auto k = judged_by_counters(*in.source, c, peaks, work);
    k.pool = static_cast<std::uint32_t>(e.windows.size());
    k.trace = trace_index;
    k.time_ns = nanoseconds_of(*c.duration_s);
    k.ranges = interval_set({{at, at + k.time_ns}});
    at += k.time_ns;
    e.kernels.push_back(std::move(k));
  }
  if (at == 0) return;
  e.windows.push_back({0, at});
  for (auto k = first; k < e.kernels.size(); ++k)
    e.kernels[k].share = static_cast<double>(e.kernels[k].time_ns) / static_cast<double>(at);
}

// The device of a table of counters: the one that its text names, else the only one that the caller knows.
device_peaks peaks_for_counters(const trace& t, std::span<const known_device> all) {
  for (const auto& k : t.profiled_kernels) {
    for (const auto& d : all) {
      for (const auto& part : d.reported)
        if (t.names[k.device].find(part) != std::string_view::npos) return d.peaks;
    }
  }
  return all.size() == 1 ? all.front().peaks : device_peaks{};
}

}  // namespace

std::string subject_of(const trace& t, const op_cost& c) {
  constexpr std::size_t readable = 80;
  auto dims = on_one_line(t.names[c.input_dims]);
  if (dims.size() > readable) dims = dims.substr(0, readable) + "...";
  return dims.empty() ? std::string(t.names[c.name]) : fmt::format("{} {}", t.names[c.name], dims);
}

void judge_kernels(evidence& e, const diagnose_options& options) {
  for (const auto& d : e.devices) judge_operators(e, d);
  for (std::uint32_t i = 0; i < e.traces.size(); ++i) {
    auto& in = e.traces[i];
    if (in.source->profiled_kernels.empty()) continue;
    const auto peaks = peaks_for_counters(*in.source, options.devices);
    in.counters = counters_of(*in.source, peaks);
    judge_on_timeline(e, i, options.work);
    if (in.source->works.empty()) judge_alone(e, i, peaks, options.work);
  }
}

}  // namespace ridge::trace
