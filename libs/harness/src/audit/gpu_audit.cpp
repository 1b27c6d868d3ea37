// SPDX-License-Identifier: Apache-2.0
#include "audit/gpu_audit.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <optional>

#include <fmt/format.h>

#include <ridge/base/text.hpp>

#include "audit/call_window.hpp"

namespace ridge::harness {
namespace {

using measure::api_effect;
using measure::gpu_activity;
using model::check;
using model::outcome;

constexpr double slack_s = 1e-6;  // stamps of two engines of one GPU are this far apart at most
constexpr std::size_t most_rows = 24;

check finding(outcome result, std::string evidence) {
  return {.id = "audit", .result = result, .evidence = std::move(evidence)};
}

// Seconds by which an activity lies outside the marks: positive after the last, negative before the first.
double outside(const gpu_activity& a, const call_window& w) {
  const bool in_order = a.stream == w.queue && a.graph == 0 && a.device == w.device;
  if (in_order && a.start_s <= w.end_s) return 0;
  if (a.end_s > w.end_s + slack_s) return a.end_s - w.end_s;
  return a.start_s < w.begin_s - slack_s ? a.start_s - w.begin_s : 0;
}

std::optional<check> outside_finding(const std::string& variant, const call_window& w) {
  std::size_t count = 0;
  const gpu_activity* worst = nullptr;
  for (const auto& a : w.work) {
    if (outside(a, w) == 0) continue;
    ++count;
    if (worst == nullptr || outside(a, w) > outside(*worst, w)) worst = &a;
  }
  if (worst == nullptr) return std::nullopt;
  const double by_s = outside(*worst, w);
  return finding(
      outcome::fail,
      fmt::format("{}: {} of {} kernels, copies and sets ran outside the call: {} on stream {} {}", variant,
                  count, w.work.size(), worst->name, worst->stream,
                  by_s > 0
                      ? fmt::format("ended {:.1f} us after it, on a stream that was not joined", by_s * 1e6)
                      : fmt::format("began {:.1f} us before it, not waiting for the queue", -by_s * 1e6)));
}

std::optional<check> gpus_finding(const traced_variant& seen, const call_window& w) {
  std::set<int> used{w.device};
  for (const auto& a : w.work) used.insert(a.device);
  if (used.size() <= static_cast<std::size_t>(std::max(seen.gpus, 1))) return std::nullopt;
  return finding(outcome::fail, fmt::format("{}: runs on GPUs {}, and declares {}", seen.name,
                                            fmt::join(used, ", "), std::max(seen.gpus, 1)));
}

std::optional<check> streams_finding(const traced_variant& seen, const call_window& w) {
  std::set<std::uint32_t> unknown;
  for (const auto& a : w.work) {
    // A graph runs its branches on streams of its own.
    if (a.graph == 0 && a.stream != w.queue && !seen.streams_made.contains(a.stream))
      unknown.insert(a.stream);
  }
  if (unknown.empty() || (seen.streams_made.empty() && unknown.size() <= seen.stream_calls))
    return std::nullopt;
  return finding(outcome::warn,
                 fmt::format("{}: works on stream {}, which is neither the queue nor made by its setup",
                             seen.name, fmt::join(unknown, ", ")));
}

std::map<std::string, std::uint64_t> counts_of(const std::vector<gpu_activity>& work) {
  std::map<std::string, std::uint64_t> counts;
  for (const auto& a : work) {
    auto what = a.name;
    if (a.kind == measure::gpu_activity_kind::kernel)
      what += fmt::format(" on {}x{}x{} blocks", a.grid.x, a.grid.y, a.grid.z);
    ++counts[what];
  }
  return counts;
}

std::optional<check> difference_finding(const std::string& variant, const call_window& first,
                                        const call_window& second) {
  auto before = counts_of(first.work), after = counts_of(second.work);
  for (const auto& [what, n] : before) after.try_emplace(what, 0);
  for (const auto& [what, n] : after) {
    if (before[what] != n) {
      return finding(outcome::warn, fmt::format("{}: two calls on the same data differ: {} {} times, then {}",
                                                variant, what, before[what], n));
    }
  }
  return std::nullopt;
}

// "cudaFree 3, cudaMalloc 3"; empty where no call has the effect.
std::string calls_with(api_effect effect, const call_window& w, std::uint64_t& times) {
  std::vector<std::string> parts;
  for (const auto& [name, count] : measure::count_by_name(w.calls)) {
    if (measure::effect_of(name) != effect) continue;
    parts.push_back(fmt::format("{} {}", name, count));
    times += count;
  }
  return join(parts, ", ");
}

std::optional<check> calls_finding(const std::string& variant, api_effect effect, std::string_view does,
                                   const call_window& w) {
  std::uint64_t times = 0;
  const auto names = calls_with(effect, w, times);
  if (times == 0) return std::nullopt;
  return finding(outcome::warn, fmt::format("{}: {} {} times a call ({})", variant, does, times, names));
}

// Memory taken without a call that the tracer knows: some libraries call the driver by a way of their own.
std::optional<check> memory_finding(const std::string& variant, const call_window& w) {
  auto by_calls = calls_finding(variant, api_effect::allocates, "takes or gives back memory", w);
  if (by_calls || w.memory.empty()) return by_calls;
  return finding(outcome::warn,
                 fmt::format("{}: takes or gives back memory {} times a call", variant, w.memory.size()));
}

std::vector<check> findings_of(const traced_variant& seen, const call_window& first,
                               const call_window& second) {
  std::vector<check> all;
  const auto add = [&](std::optional<check> found) {
    if (found) all.push_back(std::move(*found));
  };
  auto late = outside_finding(seen.name, second);
  add(late ? std::move(late) : outside_finding(seen.name, first));
  add(gpus_finding(seen, second));
  add(streams_finding(seen, second));
  add(difference_finding(seen.name, first, second));
  add(memory_finding(seen.name, second));
  add(calls_finding(seen.name, api_effect::makes_objects,
                    "makes or destroys streams, events, graphs or contexts", second));
  if (seen.threads_left > 0)
    add(finding(outcome::warn, fmt::format("{}: leaves {} host thread{} running", seen.name,
                                           seen.threads_left, seen.threads_left == 1 ? "" : "s")));
  return all;
}

std::vector<std::string> remarks_of(const traced_variant& seen, const call_window& w) {
  std::uint64_t times = 0;
  const auto names = calls_with(api_effect::waits, w, times);
  if (times > 0)
    return {fmt::format("{} waits for the device {} times a call ({})", seen.name, times, names)};
  if (!seen.held) return {fmt::format("{} cannot be enqueued on a held queue under a tracer", seen.name)};
  return {};
}

std::vector<model::kernel_use> kernels_of(const call_window& w) {
  std::map<std::string, model::kernel_use> by_name;
  double all_s = 0;
  for (const auto& a : w.work) {
    auto& row = by_name[a.name];
    row.name = a.name;
    ++row.count;
    row.time_s += a.seconds();
    all_s += a.seconds();
  }
  std::vector<model::kernel_use> rows;
  for (auto& [name, row] : by_name) {
    row.share = all_s > 0 ? row.time_s / all_s : 0;
    rows.push_back(std::move(row));
  }
  std::ranges::stable_sort(rows, std::ranges::greater{}, &model::kernel_use::time_s);
  if (rows.size() > most_rows) rows.resize(most_rows);
  return rows;
}

// Seconds in which at least one piece of work ran.
double busy_seconds(const call_window& w) {
  auto work = w.work;
  std::ranges::sort(work, {}, &gpu_activity::start_s);
  double busy_s = 0, until_s = 0;
  for (const auto& a : work) {
    busy_s += std::max(0.0, a.end_s - std::max(a.start_s, until_s));
    until_s = std::max(until_s, a.end_s);
  }
  return busy_s;
}

}  // namespace

variant_audit audit_of(const traced_variant& seen) {
  const auto dropped = seen.first.dropped + seen.second.dropped;
  if (dropped > 0) return {.skipped = fmt::format("{}: {} records dropped", seen.name, dropped)};
  const auto first = window_of(seen.first), second = window_of(seen.second);
  if (!first || !second) {
    const auto& trace = first ? seen.second : seen.first;
    return {.skipped = fmt::format("{}: the trace lacks the marks of the call ({} activities, {} calls)",
                                   seen.name, trace.activities.size(), trace.calls.size())};
  }
  return {.findings = findings_of(seen, *first, *second),
          .remarks = remarks_of(seen, *second),
          .kernels = kernels_of(*second),
          .busy_s = std::min(busy_seconds(*first), busy_seconds(*second))};
}

}  // namespace ridge::harness
