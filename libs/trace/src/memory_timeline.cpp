// SPDX-License-Identifier: Apache-2.0
#include <ridge/trace/memory_timeline.hpp>

#include <algorithm>
#include <map>
#include <tuple>

#include "allocations.hpp"
#include "memory_steps.hpp"

namespace ridge::trace {
namespace {

using event_list = std::vector<const memory_event*>;

// What was allocated after each event: as told, else the sum of what the trace holds.
std::vector<memory_point> points_of(const event_list& events) {
  std::vector<memory_point> points;
  std::int64_t sum = 0;
  for (const auto* e : events) {
    sum = e->total_allocated >= 0 ? e->total_allocated : sum + e->bytes;
    const memory_point p{e->time_ns, sum, e->total_reserved};
    if (!points.empty() && points.back().time_ns == p.time_ns)
      points.back() = p;
    else
      points.push_back(p);
  }
  return points;
}

std::string step_name(const trace& t, const surroundings& around, nanoseconds time,
                      std::span<const time_range> steps) {
  if (around.step != none) return std::string(t.name_of(around.step));
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (time >= steps[i].start_ns && time < steps[i].end_ns) return "step " + std::to_string(i);
  }
  return "";
}

std::string text_of(const trace& t, event_id e) { return e == none ? "" : std::string(t.name_of(e)); }

// Blocks live after the moment of the peak, by what surrounded their allocation.
std::vector<memory_holder> holders_of(const trace& t, const paired_allocations& paired, nanoseconds peak_ns,
                                      std::span<const time_range> steps) {
  event_list live;
  for (const auto& block : paired.blocks) {
    if (block.made->time_ns <= peak_ns && block.released_ns > peak_ns) live.push_back(block.made);
  }
  const auto around = surroundings_of(t, live);
  std::map<std::tuple<std::string, std::string, std::string>, memory_holder> by_place;
  for (std::size_t i = 0; i < live.size(); ++i) {
    const auto owner = text_of(t, around[i].owner), annotation = text_of(t, around[i].annotation);
    const auto step = step_name(t, around[i], live[i]->time_ns, steps);
    auto& h = by_place[{owner, annotation, step}];
    h = {owner, annotation, step, h.bytes + live[i]->bytes, h.allocations + 1};
  }
  std::vector<memory_holder> holders;
  for (auto& [place, holder] : by_place) holders.push_back(std::move(holder));
  std::ranges::stable_sort(holders, std::greater{}, &memory_holder::bytes);
  return holders;
}

void find_peaks(memory_of_device& d) {
  d.peak_allocated = *std::ranges::max_element(d.points, {}, &memory_point::allocated);
  d.last = d.points.back();
  const auto reserved = *std::ranges::max_element(d.points, {}, &memory_point::reserved);
  if (reserved.reserved < 0) return;
  d.peak_reserved = reserved;
  d.fragmented = reserved.reserved - reserved.allocated;
  if (reserved.reserved > 0)
    d.fragmented_per_mille = static_cast<int>(*d.fragmented * 1000 / reserved.reserved);
}

void hold_against_device(const trace& t, memory_of_device& d) {
  const auto* facts = t.facts_of(d.device);
  if (facts == nullptr || facts->memory_bytes <= 0) return;
  d.device_bytes = facts->memory_bytes;
  const auto peak = d.peak_reserved ? d.peak_reserved->reserved : d.peak_allocated.allocated;
  d.near_limit = peak > facts->memory_bytes / 10 * 9;
}

memory_of_device memory_of(const trace& t, std::int32_t device, const event_list& events,
                           std::span<const time_range> steps) {
  memory_of_device d{.device = device, .points = points_of(events)};
  find_peaks(d);
  hold_against_device(t, d);
  const auto paired = pair_allocations(events);
  d.unmatched_releases = paired.unmatched_releases;
  d.live_at_peak = holders_of(t, paired, d.peak_allocated.time_ns, steps);
  auto known = std::int64_t{0};
  for (const auto& h : d.live_at_peak) known += h.bytes;
  d.live_before_trace = std::max<std::int64_t>(0, d.peak_allocated.allocated - known);
  d.steps = memory_steps_of(t, d.points, paired, steps);
  d.growth_per_step = growth_of(d.steps);
  return d;
}

}  // namespace

memory_timeline memory_timeline_of(const trace& t, std::span<const time_range> steps) {
  std::map<std::int32_t, event_list> by_device;
  for (const auto& e : t.memory) by_device[e.device].push_back(&e);
  memory_timeline all{.told = !t.memory.empty()};
  for (const auto& [device, events] : by_device) all.devices.push_back(memory_of(t, device, events, steps));
  return all;
}

}  // namespace ridge::trace
