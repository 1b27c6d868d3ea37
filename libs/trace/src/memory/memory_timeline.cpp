// SPDX-License-Identifier: Apache-2.0
#include <ridge/trace/memory_timeline.hpp>

#include <algorithm>
#include <map>
#include <tuple>

#include "memory/allocations.hpp"
#include "memory/memory_steps.hpp"

namespace ridge::trace {
namespace {

using event_list = std::vector<const memory_event*>;

std::string name_or_empty(const trace& t, event_id e) { return e == none ? "" : std::string(t.name_of(e)); }

bool tells_totals(const event_list& events) {
  return std::ranges::any_of(events, [](const memory_event* e) { return e->total_allocated >= 0; });
}

// Returns what was allocated after each event: as recorded, else the sum of the trace's events.
std::vector<memory_point> points_of(const event_list& events) {
  std::vector<memory_point> points;
  std::int64_t sum = 0, least = 0;
  for (const auto* e : events) {
    sum = e->total_allocated >= 0 ? e->total_allocated : sum + e->bytes;
    least = std::min(least, sum);
    const memory_point p{e->time_ns, sum, e->total_reserved};
    if (!points.empty() && points.back().time_ns == p.time_ns)
      points.back() = p;
    else
      points.push_back(p);
  }
  for (auto& p : points) p.allocated -= least;
  return points;
}

// Returns the annotation that a step was recognised by, else its number among the steps given.
std::vector<std::string> names_of_steps(const trace& t, std::span<const time_range> steps) {
  std::vector<std::string> names(steps.size());
  for (std::size_t i = 0; i < steps.size(); ++i) names[i] = "step " + std::to_string(i);
  for (event_id e = 0; e < t.events.size() && !steps.empty(); ++e) {
    if (t.events.kind[e] != category::annotation && t.events.kind[e] != category::op) continue;
    const auto at = std::ranges::lower_bound(steps, t.events.start_ns[e], {}, &time_range::start_ns);
    if (at != steps.end() && *at == time_range{t.events.start_ns[e], t.events.end_ns(e)})
      names[static_cast<std::size_t>(at - steps.begin())] = t.name_of(e);
  }
  return names;
}

class step_namer {
 public:
  step_namer(const trace& t, std::span<const time_range> steps)
      : t_(t), steps_(steps), names_(names_of_steps(t, steps)) {}
  [[nodiscard]] std::string name(const surroundings& around, nanoseconds time) const {
    const auto after = std::ranges::upper_bound(steps_, time, {}, &time_range::start_ns);
    if (after != steps_.begin() && time < std::prev(after)->end_ns)
      return names_[static_cast<std::size_t>(std::prev(after) - steps_.begin())];
    return name_or_empty(t_, around.step);
  }

 private:
  const trace& t_;
  std::span<const time_range> steps_;
  std::vector<std::string> names_;
};

// Blocks live after the moment of the peak, by what surrounded their allocation.
std::vector<memory_holder> holders_of(const trace& t, const paired_allocations& paired, nanoseconds peak_ns,
                                      const step_namer& steps) {
  event_list live;
  for (const auto& block : paired.blocks) {
    if (block.made->time_ns <= peak_ns && block.released_ns > peak_ns) live.push_back(block.made);
  }
  const auto around = surroundings_of(t, live);
  std::map<std::tuple<std::string, std::string, std::string>, memory_holder> by_place;
  for (std::size_t i = 0; i < live.size(); ++i) {
    const auto owner = name_or_empty(t, around[i].owner), annotation = name_or_empty(t, around[i].annotation);
    const auto step = steps.name(around[i], live[i]->time_ns);
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
  // Host allocators record 0 because they reserve nothing.
  if (reserved.reserved <= 0) return;
  d.peak_reserved = reserved;
  const auto& peak = d.peak_allocated;
  if (peak.reserved <= 0) return;
  d.fragmented = peak.reserved - peak.allocated;
  d.fragmented_per_mille = static_cast<int>(*d.fragmented * 1000 / peak.reserved);
}

void hold_against_device(const trace& t, memory_of_device& d) {
  const auto* facts = t.facts_of(d.device);
  if (facts == nullptr || facts->memory_bytes <= 0) return;
  d.device_bytes = facts->memory_bytes;
  const auto peak = d.peak_reserved ? d.peak_reserved->reserved : d.peak_allocated.allocated;
  d.near_limit = peak > facts->memory_bytes / 10 * 9;
}

void follow_blocks(const trace& t, const event_list& events, const step_namer& steps, memory_of_device& d) {
  const auto paired = pair_allocations(events);
  d.unmatched_releases = paired.unmatched_releases;
  d.live_at_peak = holders_of(t, paired, d.peak_allocated.time_ns, steps);
  std::int64_t known = 0;
  for (const auto& h : d.live_at_peak) known += h.bytes;
  d.live_before_trace = std::max<std::int64_t>(0, d.peak_allocated.allocated - known);
  count_unreleased(d.steps, paired);
}

memory_of_device memory_of_events(const trace& t, std::int32_t device, const event_list& events,
                                  std::span<const time_range> steps, const step_namer& namer) {
  memory_of_device d{.device = device, .totals_told = tells_totals(events), .points = points_of(events)};
  d.addresses_told = std::ranges::any_of(events, [](const memory_event* e) { return e->address != 0; });
  find_peaks(d);
  hold_against_device(t, d);
  d.steps = memory_steps_of(t, d.points, events, steps);
  d.growth_per_step = growth_of(d.steps);
  if (d.addresses_told) follow_blocks(t, events, namer, d);
  return d;
}

}  // namespace

memory_timeline memory_timeline_of(const trace& t, std::span<const time_range> steps) {
  std::map<std::int32_t, event_list> by_device;
  for (const auto& e : t.memory) by_device[e.device].push_back(&e);
  memory_timeline all{.told = !t.memory.empty()};
  const step_namer namer(t, steps);
  for (const auto& [device, events] : by_device)
    all.devices.push_back(memory_of_events(t, device, events, steps, namer));
  return all;
}

}  // namespace ridge::trace
