// SPDX-License-Identifier: Apache-2.0
#include "flows.hpp"

#include <algorithm>
#include <tuple>

namespace ridge::backends::trace_pftrace {

std::unordered_map<std::uint32_t, std::uint64_t> flows::finish(trace::trace_builder& builder) {
  std::unordered_map<std::uint32_t, std::uint64_t> launches;
  std::ranges::stable_sort(points_, {}, [](const flow_point& p) { return std::tuple(p.id, p.time); });
  for (std::size_t i = 1; i < points_.size(); ++i) {
    const auto &from = points_[i - 1], &into = points_[i];
    if (from.id != into.id || from.last) continue;
    if (from.kind == trace::category::api && trace::is_device_work(into.kind)) {
      launches[from.slice] = launches[into.slice] = from.id;
    } else if (trace::is_device_work(from.kind) && trace::is_device_work(into.kind)) {
      launches[into.slice] = from.id;  // a graph's launch has many works
    } else {
      builder.add(trace::flow{.id = from.id,
                              .from_ns = from.time,
                              .to_ns = into.time,
                              .from_track = from.track,
                              .to_track = into.track});
    }
  }
  return launches;
}

}  // namespace ridge::backends::trace_pftrace
