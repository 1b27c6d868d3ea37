// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <ridge/trace/collectives.hpp>

namespace ridge::trace {

struct ordered_parts {
  // place[i][k]: parts of equal place are one collective. Parts that could not be placed have a negative
  // place of their own.
  std::vector<std::vector<std::int64_t>> place{};
  bool shifted = false;
};

// How the ends of a series may be used.
enum class ends_of_ranks : std::uint8_t {
  together,  // a collective ends on all ranks at about one time
  apart,     // a root or a sender may end long before the others: order alone joins
};

// The same series of collectives as several participants recorded it, each in its order, none of them
// numbered. Series that end in step with the longest are joined one by one. Others lack some: they are placed
// where most ends meet under one offset of the clocks; fewer than three, or a place no better than another,
// are not placed.
[[nodiscard]] ordered_parts order_parts(std::span<const std::vector<collective_part>> series,
                                        ends_of_ranks ends);

}  // namespace ridge::trace
