// SPDX-License-Identifier: Apache-2.0
#include "communication/ordered_parts.hpp"

#include <algorithm>
#include <optional>

#include "clocks/ends_match.hpp"

namespace ridge::trace {
namespace {

using parts = std::vector<collective_part>;
using places = std::vector<std::optional<std::size_t>>;

std::vector<nanoseconds> ends_of_series(const parts& series) {
  std::vector<nanoseconds> ends;
  for (const auto& p : series) ends.push_back(p.end_ns);
  return ends;
}

places one_by_one(std::size_t count) {
  places all(count);
  for (std::size_t k = 0; k < count; ++k) all[k] = k;
  return all;
}

places place(const parts& longest, const parts& own, ends_of_ranks ends) {
  const auto same_length = own.size() == longest.size();
  if (same_length && (own.size() < 3 || ends == ends_of_ranks::apart)) return one_by_one(own.size());
  if (ends == ends_of_ranks::apart) return places(own.size());
  const auto theirs = ends_of_series(longest), mine = ends_of_series(own);
  const auto tolerance = tolerance_of(theirs);
  if (same_length && in_step(theirs, mine, tolerance)) return one_by_one(own.size());
  return match_ends(theirs, mine, tolerance).value_or(places(own.size()));
}

}  // namespace

ordered_parts order_parts(std::span<const std::vector<collective_part>> series, ends_of_ranks ends) {
  const auto& longest = *std::ranges::max_element(series, {}, [](const auto& own) { return own.size(); });
  ordered_parts ordered;
  std::int64_t alone = -1;
  for (const auto& own : series) {
    const auto to = place(longest, own, ends);
    auto& own_places = ordered.place.emplace_back();
    for (std::size_t k = 0; k < own.size(); ++k) {
      ordered.shifted = ordered.shifted || to[k] != k;
      own_places.push_back(to[k] ? static_cast<std::int64_t>(*to[k]) : alone--);
    }
  }
  return ordered;
}

}  // namespace ridge::trace
