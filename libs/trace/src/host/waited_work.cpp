// SPDX-License-Identifier: Apache-2.0
#include "host/waited_work.hpp"

#include <algorithm>

namespace ridge::trace {
namespace {

std::uint32_t process_of(const trace& t, const device_work& w) {
  return w.launch == none ? w.process : t.tracks[t.events.track[w.launch]].process;
}

}  // namespace

waited_work::waited_work(const trace& t) : trace_(t) {
  std::map<std::uint32_t, std::vector<time_range>> by_process;
  std::map<std::int32_t, std::vector<time_range>> by_device;
  auto* last = &by_process[none];
  auto last_process = none;
  for (work_id w = 0; w < t.works.size(); ++w) {
    const auto& work = t.works[w];
    const auto process = process_of(t, work);
    if (process != last_process) last = &by_process[last_process = process];
    last->push_back({work.start_ns, work.end_ns});
    processes_[process].ends.push_back({work.end_ns, w});
    by_device[work.device].push_back({work.start_ns, work.end_ns});
  }
  for (auto& [process, of] : processes_) {
    std::ranges::sort(of.ends, {}, [](const by_end& b) { return std::pair(b.end_ns, b.work); });
    of.busy = busy_time(interval_set(std::move(by_process[process])));
  }
  for (auto& [device, ranges] : by_device) devices_[device] = busy_time(interval_set(std::move(ranges)));
  if (t.syncs.empty()) return;
  for (event_id e = 0; e < t.events.size(); ++e) {
    if (t.events.kind[e] == category::synchronization && t.events.correlation[e] != 0 &&
        t.events.detail[e] != none)
      records_[t.events.correlation[e]].push_back(e);
  }
}

// Returns the work of the call's process, or else the work whose process is not recorded.
const waited_work::process_work* waited_work::of_process(event_id call) const {
  const auto own = processes_.find(trace_.tracks[trace_.events.track[call]].process);
  if (own != processes_.end()) return &own->second;
  const auto anybody = processes_.find(none);
  return anybody == processes_.end() ? nullptr : &anybody->second;
}

std::optional<std::int32_t> waited_work::stream_of(event_id call) const {
  const auto at = records_.find(trace_.events.correlation[call]);
  if (at == records_.end()) return {};
  for (const auto e : at->second) {
    const auto& s = trace_.syncs[trace_.events.detail[e]];
    const auto meets = trace_.events.start_ns[e] <= trace_.events.end_ns(call) &&
                       trace_.events.end_ns(e) >= trace_.events.start_ns[call];
    if (meets && s.kind == sync_kind::stream && s.stream >= 0) return s.stream;
  }
  return {};
}

work_id waited_work::of_call(event_id call) const {
  const auto* of = of_process(call);
  if (of == nullptr) return none;
  const auto stream = stream_of(call);
  const auto after = std::ranges::upper_bound(of->ends, trace_.events.end_ns(call), {}, &by_end::end_ns);
  for (auto at = after; at != of->ends.begin();) {
    --at;
    if (at->end_ns <= trace_.events.start_ns[call]) return none;
    if (!stream || trace_.works[at->work].stream == *stream) return at->work;
  }
  return none;
}

nanoseconds waited_work::busy_within(event_id call, time_range r) const {
  const auto* of = of_process(call);
  return of == nullptr ? 0 : of->busy.within(r);
}

std::optional<time_range> waited_work::idle_from(std::int32_t device, nanoseconds t) const {
  const auto at = devices_.find(device);
  return at == devices_.end() ? std::nullopt : at->second.idle_from(t);
}

}  // namespace ridge::trace
