// SPDX-License-Identifier: Apache-2.0
#include "diff/diff_side.hpp"

#include <algorithm>
#include <limits>

#include <ridge/base/expects.hpp>

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

std::span<const device_work> works_of(const diff_side& side) {
  if (side.device) return side.source->works_of(*side.device);
  return side.source->works.empty() ? side.source->works
                                    : side.source->works_of(side.source->works.front().device);
}

}  // namespace

interval_set counted_windows(const diff_side& side) {
  if (!side.steps.empty()) return interval_set({side.steps.begin(), side.steps.end()});
  return interval_set({{std::numeric_limits<nanoseconds>::min(), std::numeric_limits<nanoseconds>::max()}});
}

side_times times_of(const diff_side& side) {
  expects(side.source != nullptr && side.classes.size() == side.source->works.size(),
          "diff_of: a side needs its trace and one class for each of its works");
  side_times in{
      .source = side.source, .works = works_of(side), .steps = static_cast<std::int64_t>(side.steps.size())};
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
  return in;
}

}  // namespace ridge::trace
