// SPDX-License-Identifier: Apache-2.0
#include "timeline/device_span.hpp"

#include <algorithm>

namespace ridge::trace {

time_range device_span(const trace& t, std::int32_t device) {
  const auto works = t.works_of(device);
  if (works.empty()) return {};
  return {works.front().start_ns, std::ranges::max_element(works, {}, &device_work::end_ns)->end_ns};
}

time_range cut(time_range r, time_range window) {
  return {std::max(r.start_ns, window.start_ns), std::min(r.end_ns, window.end_ns)};
}

}  // namespace ridge::trace
