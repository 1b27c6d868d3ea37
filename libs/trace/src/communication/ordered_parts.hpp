// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <ridge/trace/collectives.hpp>

namespace ridge::trace {

// Which parts of several series belong together.
struct ordered_parts {
  // place[i][k] is the position of part k of series i; parts of equal position are one collective. Parts that
  // could not be placed have a negative position of their own.
  std::vector<std::vector<std::int64_t>> place{};
  bool shifted = false;
};

// Whether the ends of a series may be used to join it.
enum class ends_of_ranks : std::uint8_t {
  together,  // a collective ends on all ranks at about one time
  apart,     // a root or a sender may end long before the others: order alone joins
};

// Joins one series of unnumbered collectives as several participants recorded it, each in its order. Series
// that end in step with the longest are joined one by one. Others lack some parts and are placed where most
// ends coincide under one offset of the clocks; a series is not placed where fewer than three coincide or
// another place is as good.
[[nodiscard]] ordered_parts order_parts(std::span<const std::vector<collective_part>> series,
                                        ends_of_ranks ends);

}  // namespace ridge::trace
