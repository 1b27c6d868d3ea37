// SPDX-License-Identifier: Apache-2.0
#include "gather_table.hpp"

#include <bit>
#include <cstddef>

namespace ridge::plan::train {
namespace {

constexpr std::size_t ranks_powers = 18, stride_powers = 9;

std::size_t power_of(std::int64_t n) {
  return static_cast<std::size_t>(std::countr_zero(static_cast<std::uint64_t>(n)));
}

bool is_usual(std::int64_t n, std::size_t powers) {
  return n > 0 && std::has_single_bit(static_cast<std::uint64_t>(n)) && power_of(n) < powers;
}

}  // namespace

gather_table::gather_table(const interconnect& links) : lines_(ranks_powers * stride_powers) {
  constexpr double many_bytes = 1e9;
  for (std::size_t r = 0; r < ranks_powers; ++r)
    for (std::size_t s = 0; s < stride_powers; ++s) {
      const double latency = all_gather_s(links, 0, std::int64_t{1} << r, std::int64_t{1} << s);
      lines_[r * stride_powers + s] = {
          latency, (all_gather_s(links, many_bytes, std::int64_t{1} << r, std::int64_t{1} << s) - latency) /
                       many_bytes};
    }
}

double gather_table::seconds(const interconnect& links, double bytes, std::int64_t ranks,
                             std::int64_t stride) const {
  if (!is_usual(ranks, ranks_powers) || !is_usual(stride, stride_powers))
    return all_gather_s(links, bytes, ranks, stride);
  const auto& l = lines_[power_of(ranks) * stride_powers + power_of(stride)];
  return l.latency_s + bytes * l.s_per_byte;
}

}  // namespace ridge::plan::train
