// SPDX-License-Identifier: Apache-2.0
#include "clocks/clock_fit.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>

#include "timeline/integer_median.hpp"

namespace ridge::trace {
namespace {

constexpr std::size_t least_for_drift = 8;
constexpr std::size_t most_for_slopes = 256;  // slopes are taken between all pairs of them

nanoseconds offset_of(const clock_map& map, std::span<const clock_pair> pairs) {
  std::map<std::string_view, std::vector<nanoseconds>> groups;
  for (const auto& p : pairs) groups[p.group].push_back(p.common_ns - map.to_common(p.own_ns));
  std::vector<nanoseconds> medians;
  for (auto& [group, values] : groups) medians.push_back(median(std::move(values), middle::between));
  return map.offset_ns + median(std::move(medians), middle::between);
}

// Returns the drift in parts per billion.
std::int64_t drift_of(std::span<const clock_pair> pairs) {
  const auto step = std::max<std::size_t>(1, pairs.size() / most_for_slopes);
  std::vector<double> slopes;
  for (std::size_t a = 0; a < pairs.size(); a += step) {
    for (auto b = a + step; b < pairs.size(); b += step) {
      const auto run = pairs[b].own_ns - pairs[a].own_ns;
      if (run == 0) continue;
      const auto rise = pairs[b].common_ns - pairs[a].common_ns - run;
      slopes.push_back(static_cast<double>(rise) / static_cast<double>(run));
    }
  }
  if (slopes.empty()) return 0;
  const auto middle = slopes.begin() + static_cast<std::ptrdiff_t>(slopes.size() / 2);
  std::ranges::nth_element(slopes, middle);
  return std::llround(*middle * 1e9);
}

}  // namespace

nanoseconds reach_of(std::vector<nanoseconds> errors) {
  for (auto& e : errors) e = std::abs(e);
  std::ranges::sort(errors);
  if (errors.empty()) return 0;
  return errors.size() < 20 ? errors.back() : errors[(errors.size() * 95 + 99) / 100 - 1];
}

nanoseconds misfit(const clock_map& map, std::span<const clock_pair> pairs) {
  std::vector<nanoseconds> errors;
  for (const auto& p : pairs) errors.push_back(p.common_ns - map.to_common(p.own_ns));
  return reach_of(std::move(errors));
}

clock_map fit_clock(std::span<const clock_pair> pairs) {
  clock_map plain{.source = clock_source::collective_ends,
                  .collectives = static_cast<std::uint32_t>(pairs.size())};
  if (pairs.empty()) return plain;
  plain.anchor_ns = pairs[pairs.size() / 2].own_ns;
  plain.offset_ns = offset_of(plain, pairs);
  plain.uncertainty_ns = misfit(plain, pairs);
  if (pairs.size() < least_for_drift) return plain;
  auto drifting = plain;
  drifting.drift_ppb = drift_of(pairs);
  drifting.offset_ns = offset_of(drifting, pairs);
  drifting.uncertainty_ns = misfit(drifting, pairs);
  return 2 * *drifting.uncertainty_ns < *plain.uncertainty_ns ? drifting : plain;
}

}  // namespace ridge::trace
