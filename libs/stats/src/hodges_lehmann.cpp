// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <vector>

#include <ridge/base/expects.hpp>
#include <ridge/stats/order_interval.hpp>

namespace ridge::stats {
namespace {

// Unsigned numbers in the order of the doubles they stand for, so that halving a range of them halves the
// number of possible answers.
constexpr std::uint64_t sign_bit = std::uint64_t{1} << 63;

std::uint64_t to_ordered(double x) {
  const auto bits = std::bit_cast<std::uint64_t>(x);
  return bits & sign_bit ? ~bits : bits | sign_bit;
}

double from_ordered(std::uint64_t o) { return std::bit_cast<double>(o & sign_bit ? o & ~sign_bit : ~o); }

struct pair_count {
  std::uint64_t at_most = 0;                              // pairs i <= j with x_i + x_j <= bound
  double next = std::numeric_limits<double>::infinity();  // the smallest sum above the bound
};

pair_count count_pairs(std::span<const double> sorted, double bound) {
  pair_count seen;
  auto end = sorted.size();  // x_i + x_j <= bound exactly for j < end, and end falls as i rises
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    while (end > 0 && sorted[i] + sorted[end - 1] > bound) --end;
    if (end > i) seen.at_most += end - i;
    if (const auto j = std::max(end, i); j < sorted.size())
      seen.next = std::min(seen.next, sorted[i] + sorted[j]);
  }
  return seen;
}

// Returns the sum at or below which there are `rank` sums (from 1).
double select_sum(std::span<const double> sorted, std::uint64_t rank) {
  auto lo = to_ordered(sorted.front() + sorted.front());
  auto hi = to_ordered(sorted.back() + sorted.back());
  while (lo < hi) {
    const auto middle = lo + (hi - lo) / 2;
    if (count_pairs(sorted, from_ordered(middle)).at_most >= rank) {
      hi = middle;
    } else {
      lo = middle + 1;
    }
  }
  return from_ordered(lo);
}

}  // namespace

double hodges_lehmann(std::span<const double> x) {
  expects(!x.empty(), "hodges_lehmann: at least one observation");
  std::vector<double> sorted(x.begin(), x.end());
  std::ranges::sort(sorted);
  const std::uint64_t pairs = std::uint64_t{sorted.size()} * (sorted.size() + 1) / 2;
  const double lower = select_sum(sorted, (pairs + 1) / 2);
  if (pairs % 2 == 1) return lower / 2;
  const auto seen = count_pairs(sorted, lower);
  return (lower + (seen.at_most > pairs / 2 ? lower : seen.next)) / 4;
}

}  // namespace ridge::stats
