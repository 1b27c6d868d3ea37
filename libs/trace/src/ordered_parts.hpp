// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <ridge/trace/collectives.hpp>

namespace ridge::trace {

struct ordered_parts {
  // place[i][k]: parts of equal place are one collective. Parts that could not be placed have a negative place
  // of their own.
  std::vector<std::vector<std::int64_t>> place{};
  bool shifted = false;
};

// The same series of collectives as several participants recorded it, each in its order. Where some recorded
// fewer, theirs are placed where their ends lie most evenly against those of the longest; fewer than three
// cannot be placed so. Without `may_shift` only series of equal length are joined.
[[nodiscard]] ordered_parts order_parts(std::span<const std::vector<collective_part>> series, bool may_shift);

}  // namespace ridge::trace
