// SPDX-License-Identifier: Apache-2.0
#include <ridge/trace/collectives.hpp>

#include <algorithm>
#include <tuple>

#include "communication/collective_series.hpp"
#include "communication/participants.hpp"

namespace ridge::trace {

std::optional<bool> collective_instance::complete() const {
  if (group_size == 0) return std::nullopt;
  return parts.size() == group_size;
}

matched_collectives match_collectives(std::span<const trace> traces, const communication_names& names) {
  std::vector<pattern_cache> patterns;
  patterns.reserve(traces.size());
  for (const auto& t : traces) patterns.emplace_back(t, names);
  matched_collectives all;
  all.participants = participants_of(
      traces, [&](std::uint32_t t, const device_work& w) { return patterns[t].of(w) != nullptr; });
  collective_series series;
  for (std::uint32_t i = 0; i < all.participants.size(); ++i) {
    const auto& p = all.participants[i];
    series.take(traces[p.trace], p.device, i, patterns[p.trace], names);
  }
  all.shifted = series.match(cohorts_of(all.participants), [&all](collective_instance&& instance) {
    all.unmatched += instance.parts.size() == 1 && all.participants.size() > 1 ? 1U : 0U;
    all.instances.push_back(std::move(instance));
  });
  std::ranges::stable_sort(all.instances, {}, [](const auto& i) {
    return std::tuple(i.parts.front().participant, i.parts.front().start_ns, i.parts.front().work);
  });
  return all;
}

}  // namespace ridge::trace
