// SPDX-License-Identifier: Apache-2.0
#include "ordered_parts.hpp"

#include <algorithm>
#include <limits>
#include <optional>

namespace ridge::trace {
namespace {

using parts = std::vector<collective_part>;

constexpr std::size_t least_to_place = 3;

// How unevenly the ends lie when the short series begins at `shift` of the long one: clocks may differ by any
// constant, which the spread does not see.
nanoseconds spread(const parts& longest, const parts& own, std::size_t shift) {
  auto low = std::numeric_limits<nanoseconds>::max(), high = std::numeric_limits<nanoseconds>::min();
  for (std::size_t k = 0; k < own.size(); ++k) {
    const auto apart = longest[shift + k].end_ns - own[k].end_ns;
    low = std::min(low, apart);
    high = std::max(high, apart);
  }
  return high - low;
}

std::optional<std::size_t> shift_of(const parts& longest, const parts& own, bool may_shift) {
  if (own.size() == longest.size()) return 0;
  if (!may_shift || own.size() < least_to_place) return std::nullopt;
  std::size_t best = 0;
  for (std::size_t shift = 1; shift + own.size() <= longest.size(); ++shift)
    if (spread(longest, own, shift) < spread(longest, own, best)) best = shift;
  return best;
}

}  // namespace

ordered_parts order_parts(std::span<const std::vector<collective_part>> series, bool may_shift) {
  const auto& longest = *std::ranges::max_element(series, {}, [](const auto& own) { return own.size(); });
  ordered_parts ordered;
  std::int64_t alone = -1;
  for (const auto& own : series) {
    auto& places = ordered.place.emplace_back();
    if (own.empty()) continue;
    const auto shift = shift_of(longest, own, may_shift);
    ordered.shifted = ordered.shifted || own.size() != longest.size();
    for (std::size_t k = 0; k < own.size(); ++k)
      places.push_back(shift ? static_cast<std::int64_t>(*shift + k) : alone--);
  }
  return ordered;
}

}  // namespace ridge::trace
