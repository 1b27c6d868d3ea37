// SPDX-License-Identifier: Apache-2.0
#include "diff/diff_side.hpp"

#include <algorithm>
#include <limits>

#include <ridge/base/expects.hpp>
#include <ridge/trace/idle.hpp>

namespace ridge::trace {
namespace {

diff_state state_of(work_class c) {
  if (c == work_class::communication) return diff_state::exposed_communication;
  return c == work_class::copy ? diff_state::exposed_copies : diff_state::compute;
}

nanoseconds length_within(time_range r, std::span<const time_range> allowed) {
  nanoseconds sum = 0;
  auto at = std::ranges::upper_bound(allowed, r.start_ns, {}, &time_range::end_ns);
  for (; at != allowed.end() && at->start_ns < r.end_ns; ++at)
    sum += time_range{std::max(r.start_ns, at->start_ns), std::min(r.end_ns, at->end_ns)}.length_ns();
  return sum;
}

// Gives each work of a state the part of `allowed` that no earlier one covers, and returns everything that
// they cover.
interval_set share_out(side_times& times, diff_state state, const interval_set& allowed) {
  std::vector<time_range> covered;
  auto until = std::numeric_limits<nanoseconds>::min();
  for (std::size_t i = 0; i < times.works.size(); ++i) {
    if (times.states[i] != state) continue;
    const time_range fresh{std::max(times.works[i].start_ns, until), times.works[i].end_ns};
    times.alone[i] = length_within(fresh, allowed.ranges());
    until = std::max(until, times.works[i].end_ns);
    covered.push_back(fresh);
  }
  return interval_set(std::move(covered));
}

interval_set windows_of(const diff_side& side, std::span<const device_work> works) {
  if (!side.steps.empty()) return interval_set({side.steps.begin(), side.steps.end()});
  if (works.empty()) return {};
  const auto last = std::ranges::max(works, {}, &device_work::end_ns).end_ns;
  return interval_set({{works.front().start_ns, last}});
}

std::vector<std::int32_t> devices_of(const diff_side& side) {
  if (side.device) return {*side.device};
  auto all = side.source->working_devices();
  if (side.all_devices || all.empty()) return all;
  return {all.front()};
}

// Idle time by cause, cut to the windows. What the analysis of gaps would not cover counts as unknown.
void share_idle(side_times& times) {
  if (!times.device || times.windows.ranges().empty()) return;
  const time_range all{times.windows.ranges().front().start_ns, times.windows.ranges().back().end_ns};
  const auto report = idle_of(*times.source, *times.device, all);
  auto rest = times.idle_ns;
  for (const auto& gap : report.gaps) {
    for (auto i = gap.first_piece; i < gap.first_piece + gap.pieces; ++i) {
      const auto ns = length_within(report.pieces[i].range, times.windows.ranges());
      if (ns > 0) times.idle.push_back({report.pieces[i].cause, gap.next, ns});
      rest -= ns;
    }
  }
  if (rest != 0) times.idle.push_back({idle_cause::unknown, none, rest});
}

}  // namespace

interval_set counted_windows(const diff_side& side) {
  if (!side.steps.empty()) return interval_set({side.steps.begin(), side.steps.end()});
  return interval_set({{std::numeric_limits<nanoseconds>::min(), std::numeric_limits<nanoseconds>::max()}});
}

namespace {

side_times times_of_device(const diff_side& side, std::optional<std::int32_t> device) {
  side_times in{.source = side.source,
                .works = device ? side.source->works_of(*device) : std::span<const device_work>(),
                .steps = static_cast<std::int64_t>(side.steps.size()),
                .device = device,
                .ops = side.ops,
                .modules = side.modules};
  in.windows = windows_of(side, in.works);
  in.alone.resize(in.works.size());
  for (std::size_t i = 0; i < in.works.size(); ++i) {
    const auto& w = in.works[i];
    in.states.push_back(state_of(side.classes[static_cast<std::size_t>(&w - side.source->works.data())]));
    in.busy.push_back(length_within({w.start_ns, w.end_ns}, in.windows.ranges()));
    in.counted.push_back(side.steps.empty() || in.windows.covers(w.start_ns));
  }
  auto free = in.windows;
  for (const auto state :
       {diff_state::compute, diff_state::exposed_communication, diff_state::exposed_copies})
    free = free.without(share_out(in, state, free));
  in.idle_ns = free.length_ns();
  share_idle(in);
  if (!device && in.idle_ns > 0) in.idle.push_back({idle_cause::unknown, none, in.idle_ns});
  return in;
}

}  // namespace

std::vector<side_times> times_of_devices(const diff_side& side) {
  expects(side.source != nullptr && side.classes.size() == side.source->works.size(),
          "diff_of: a side needs its trace and one class for each of its works");
  std::vector<side_times> all;
  for (const auto device : devices_of(side)) all.push_back(times_of_device(side, device));
  if (all.empty()) all.push_back(times_of_device(side, std::nullopt));
  return all;
}

}  // namespace ridge::trace
