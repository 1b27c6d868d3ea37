// SPDX-License-Identifier: Apache-2.0
#include <ridge/trace/overlap.hpp>

#include "timeline/activity_walk.hpp"

namespace ridge::trace {
namespace {

void add_overlap(overlap_matrix& matrix, const activity_change& now, nanoseconds length_ns) {
  for (std::size_t a = 0; a < work_class_count; ++a) {
    const auto one = static_cast<work_class>(a);
    if (!now.ran(one)) continue;
    if (now.ran_twice(one)) matrix.twice_ns[a] += length_ns;
    bool alone = true;
    for (std::size_t b = 0; b < work_class_count; ++b) {
      if (!now.ran(static_cast<work_class>(b))) continue;
      matrix.both_ns[a][b] += length_ns;
      alone = alone && a == b;
    }
    if (alone) matrix.alone_ns[a] += length_ns;
  }
}

}  // namespace

std::vector<overlap_matrix> overlaps_of(const trace& t, std::span<const work_class> classes,
                                        std::optional<time_range> window) {
  std::vector<overlap_matrix> out;
  for (const auto device : t.working_devices()) {
    const auto activity = activity_of(t, classes, device);
    out.push_back({.device = device, .window = window.value_or(activity.span)});
    walk(activity, out.back().window,
         [&](const activity_change& now, nanoseconds length) { add_overlap(out.back(), now, length); });
  }
  return out;
}

}  // namespace ridge::trace
