// SPDX-License-Identifier: Apache-2.0
#include "memory/memory_steps.hpp"

#include <algorithm>
#include <string_view>

namespace ridge::trace {
namespace {

bool is_device_allocation(std::string_view call) {
  const bool host = call.find("Host") != std::string_view::npos;
  return !host &&
         (call.starts_with("cudaMalloc") || call.starts_with("hipMalloc") || call.starts_with("cuMemAlloc"));
}

bool is_device_free(std::string_view call) {
  const bool host = call.find("Host") != std::string_view::npos;
  return !host &&
         (call.starts_with("cudaFree") || call.starts_with("hipFree") || call.starts_with("cuMemFree"));
}

// Returns the step that holds a time; null outside all steps.
memory_step* step_at(std::vector<memory_step>& steps, nanoseconds time) {
  const auto after =
      std::ranges::upper_bound(steps, time, {}, [](const memory_step& s) { return s.range.start_ns; });
  if (after == steps.begin() || time >= std::prev(after)->range.end_ns) return nullptr;
  return &*std::prev(after);
}

// Before the first event the level is taken to be the first recorded one, because earlier events are not
// known.
std::int64_t level_at(std::span<const memory_point> points, nanoseconds time) {
  const auto after = std::ranges::upper_bound(points, time, {}, &memory_point::time_ns);
  return after == points.begin() ? points.front().allocated : std::prev(after)->allocated;
}

void set_levels(memory_step& s, std::span<const memory_point> points) {
  s.allocated_at_start = level_at(points, s.range.start_ns);
  s.allocated_at_end = level_at(points, s.range.end_ns - 1);
  s.peak = std::max(s.allocated_at_start, s.allocated_at_end);
  auto at = std::ranges::lower_bound(points, s.range.start_ns, {}, &memory_point::time_ns);
  for (; at != points.end() && at->time_ns < s.range.end_ns; ++at) s.peak = std::max(s.peak, at->allocated);
}

void count_allocations(std::vector<memory_step>& steps, std::span<const memory_event* const> events) {
  for (const auto* e : events) {
    auto* s = e->bytes > 0 ? step_at(steps, e->time_ns) : nullptr;
    if (s == nullptr) continue;
    ++s->allocations;
    s->allocated_bytes += e->bytes;
  }
}

void count_calls(std::vector<memory_step>& steps, const trace& t) {
  for (event_id e = 0; e < t.events.size(); ++e) {
    if (t.events.kind[e] != category::api) continue;
    const auto call = t.name_of(e);
    const bool made = is_device_allocation(call), freed = is_device_free(call);
    if (!made && !freed) continue;
    if (auto* s = step_at(steps, t.events.start_ns[e])) ++(made ? s->device_allocations : s->device_frees);
  }
}

}  // namespace

std::vector<memory_step> memory_steps_of(const trace& t, std::span<const memory_point> points,
                                         std::span<const memory_event* const> events,
                                         std::span<const time_range> steps) {
  std::vector<memory_step> made;
  for (const auto& range : steps) {
    made.push_back({.range = range});
    set_levels(made.back(), points);
  }
  if (made.empty()) return made;
  count_allocations(made, events);
  count_calls(made, t);
  return made;
}

void count_unreleased(std::vector<memory_step>& steps, const paired_allocations& paired) {
  for (const auto& block : paired.blocks) {
    auto* s = step_at(steps, block.made->time_ns);
    if (s == nullptr) continue;
    const bool last = s == &steps.back();
    if (block.released_ns >= (last ? s : s + 1)->range.end_ns) s->unreleased_bytes += block.made->bytes;
  }
}

std::optional<std::int64_t> growth_of(std::span<const memory_step> steps) {
  const auto later = steps.subspan(steps.size() / 2);
  if (later.size() < 3) return std::nullopt;
  auto least = later[1].allocated_at_end - later[0].allocated_at_end;
  for (std::size_t i = 2; i < later.size(); ++i)
    least = std::min(least, later[i].allocated_at_end - later[i - 1].allocated_at_end);
  return least > 0 ? std::optional(least) : std::nullopt;
}

}  // namespace ridge::trace
