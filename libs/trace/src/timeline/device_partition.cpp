// SPDX-License-Identifier: Apache-2.0
#include <ridge/trace/device_partition.hpp>

#include <algorithm>

#include "timeline/activity_walk.hpp"

namespace ridge::trace {
namespace {

void add_state_time(device_partition& partition, const activity_change& now, nanoseconds length_ns) {
  const bool kernels = now.ran(work_class::compute), fills = now.ran(work_class::fill),
             communication = now.ran(work_class::communication), copies = now.ran(work_class::copy);
  const bool compute = kernels || fills;
  partition.idle_ns -= length_ns;
  if (communication) partition.communication_ns += length_ns;
  if (copies) partition.copy_ns += length_ns;
  if (compute && communication) partition.communication_under_compute_ns += length_ns;
  if (fills && !kernels) partition.fill_only_ns += length_ns;
  if (compute)
    partition.compute_ns += length_ns;
  else if (communication)
    partition.exposed_communication_ns += length_ns;
  else
    partition.exposed_copy_ns += length_ns;
}

device_partition partition(const device_activity& a, time_range window) {
  device_partition out{.device = a.device, .window = window, .idle_ns = window.length_ns()};
  walk(a, window, [&](const activity_change& now, nanoseconds length) { add_state_time(out, now, length); });
  return out;
}

nanoseconds busy_within(const device_activity& a, time_range window) {
  nanoseconds busy = 0;
  walk(a, window, [&](const activity_change&, nanoseconds length) { busy += length; });
  return busy;
}

// A work without a length touches the window it starts in, and the end of one that ends with it.
bool touches(const device_work& w, time_range window) {
  if (w.start_ns == w.end_ns) return w.start_ns >= window.start_ns && w.start_ns <= window.end_ns;
  return w.start_ns < window.end_ns && w.end_ns > window.start_ns;
}

void count_works_by_class(std::span<const device_work> works, std::span<device_partition> partitions) {
  for (const auto& w : works) {
    const auto first = std::ranges::lower_bound(partitions, w.start_ns, {},
                                                [](const device_partition& p) { return p.window.end_ns; });
    for (auto p = first; p != partitions.end() && p->window.start_ns <= w.end_ns; ++p)
      p->works += touches(w, p->window);
  }
}

bool doubtful(std::span<const device_work> works) {
  return std::ranges::any_of(works,
                             [](const device_work& w) { return (w.flags & flag_covers_successors) != 0; });
}

std::vector<device_partition> partitions(const trace& t, std::span<const work_class> classes,
                                         const device_activity& activity,
                                         std::span<const time_range> windows) {
  const auto works = t.works_of(activity.device);
  std::vector<device_partition> out;
  out.reserve(windows.size());
  for (const auto w : windows) out.push_back(partition(activity, w));
  count_works_by_class(works, out);
  if (!doubtful(works)) return out;
  const auto clipped = activity_of(t, classes, activity.device, overlong::clipped);
  for (auto& p : out) p.clipped_busy_ns = busy_within(clipped, p.window);
  return out;
}

}  // namespace

double device_partition::percent(nanoseconds part_ns) const {
  const auto length = window.length_ns();
  return length == 0 ? 0 : 100.0 * static_cast<double>(part_ns) / static_cast<double>(length);
}

std::optional<double> device_partition::overlap_percent() const {
  if (communication_ns == 0) return std::nullopt;
  return 100.0 * static_cast<double>(communication_under_compute_ns) / static_cast<double>(communication_ns);
}

std::vector<device_partition> partition_windows(const trace& t, std::span<const work_class> classes,
                                                std::int32_t device, std::span<const time_range> windows,
                                                overlong handling) {
  return partitions(t, classes, activity_of(t, classes, device, handling), windows);
}

std::vector<device_partition> partition_devices(const trace& t, std::span<const work_class> classes,
                                                std::optional<time_range> window, overlong handling) {
  std::vector<device_partition> out;
  for (const auto device : t.working_devices()) {
    const auto activity = activity_of(t, classes, device, handling);
    const auto over = window.value_or(activity.span);
    out.push_back(partitions(t, classes, activity, {&over, 1}).front());
  }
  return out;
}

}  // namespace ridge::trace
