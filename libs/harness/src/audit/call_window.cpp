// SPDX-License-Identifier: Apache-2.0
#include "audit/call_window.hpp"

#include <algorithm>
#include <limits>

namespace ridge::harness {
namespace {

using measure::gpu_activity;
using measure::gpu_activity_kind;
using measure::gpu_trace;

const gpu_activity* first_mark(const gpu_trace& trace) {
  const auto at = std::ranges::find_if(trace.activities, [](const gpu_activity& a) {
    return a.kind == gpu_activity_kind::set && a.bytes == static_cast<double>(begin_mark_bytes);
  });
  return at == trace.activities.end() ? nullptr : &*at;
}

const gpu_activity* last_mark(const gpu_trace& trace, std::uint32_t queue) {
  const gpu_activity* last = nullptr;
  for (const auto& a : trace.activities) {
    if (a.kind == gpu_activity_kind::set && a.bytes == static_cast<double>(end_mark_bytes) &&
        a.stream == queue)
      last = &a;
  }
  return last;
}

struct host_span {
  double from_s = -std::numeric_limits<double>::infinity();
  double to_s = std::numeric_limits<double>::infinity();
  [[nodiscard]] bool holds(double at_s) const { return from_s <= at_s && at_s <= to_s; }
};

// From the end of the call that made the first mark to the start of that of the last.
host_span between(const gpu_trace& trace, const gpu_activity& first, const gpu_activity& last) {
  host_span span;
  for (const auto& call : trace.calls) {
    if (call.id == first.call) span.from_s = call.end_s;
    if (call.id == last.call) span.to_s = call.start_s;
  }
  return span;
}

}  // namespace

std::optional<call_window> window_of(const gpu_trace& trace) {
  const auto* first = first_mark(trace);
  const auto* last = first == nullptr ? nullptr : last_mark(trace, first->stream);
  if (last == nullptr) return std::nullopt;
  call_window w{
      .queue = first->stream, .device = first->device, .begin_s = first->end_s, .end_s = last->start_s};
  const auto on_host = between(trace, *first, *last);
  for (const auto& a : trace.activities) {
    const bool own = &a == first || &a == last || (a.stream == w.queue && a.end_s <= first->start_s);
    if (a.runs() && !own) w.work.push_back(a);
    if (!a.runs() && on_host.holds(a.start_s)) w.memory.push_back(a);
  }
  std::ranges::copy_if(trace.calls, std::back_inserter(w.calls), [&](const auto& call) {
    return on_host.holds(call.start_s) && on_host.holds(call.end_s);
  });
  return w;
}

}  // namespace ridge::harness
