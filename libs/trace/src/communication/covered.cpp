// SPDX-License-Identifier: Apache-2.0
#include "communication/covered.hpp"

#include <algorithm>

namespace ridge::trace {

interval_set times_of(const trace& t, std::int32_t device, std::span<const work_class> classes,
                      work_class wanted) {
  std::vector<time_range> ranges;
  for (const auto& w : t.works_of(device)) {
    const auto c = classes[static_cast<std::size_t>(&w - t.works.data())];
    const auto as = c == work_class::fill ? work_class::compute : c;
    if (as == wanted) ranges.push_back({w.start_ns, w.end_ns});
  }
  return interval_set(std::move(ranges));
}

nanoseconds covered_ns(const interval_set& intervals, time_range range) {
  const auto ranges = intervals.ranges();
  nanoseconds sum = 0;
  for (auto at = std::ranges::upper_bound(ranges, range.start_ns, {}, &time_range::end_ns);
       at != ranges.end() && at->start_ns < range.end_ns; ++at)
    sum += std::min(at->end_ns, range.end_ns) - std::max(at->start_ns, range.start_ns);
  return sum;
}

}  // namespace ridge::trace
