// SPDX-License-Identifier: Apache-2.0
#include <ridge/stats/multiplicity.hpp>

#include <algorithm>
#include <numeric>

namespace ridge::stats {
namespace {

std::vector<std::size_t> ascending(std::span<const double> p) {
  std::vector<std::size_t> order(p.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return p[a] < p[b]; });
  return order;
}

}  // namespace

std::vector<double> holm(std::span<const double> p) {
  std::vector<double> adjusted(p.size());
  double largest = 0;
  auto divisor = p.size();
  for (const auto i : ascending(p)) {
    largest = std::max(largest, std::min(1.0, p[i] * static_cast<double>(divisor--)));
    adjusted[i] = largest;
  }
  return adjusted;
}

std::vector<double> benjamini_hochberg(std::span<const double> p) {
  std::vector<double> adjusted(p.size());
  const auto order = ascending(p);
  double smallest = 1;
  for (auto rank = p.size(); rank > 0; --rank) {
    const auto i = order[rank - 1];
    smallest = std::min(smallest, p[i] * static_cast<double>(p.size()) / static_cast<double>(rank));
    adjusted[i] = smallest;
  }
  return adjusted;
}

std::vector<std::size_t> holm_divisors(std::span<const double> p, double alpha) {
  std::vector<std::size_t> divisors(p.size());
  auto divisor = p.size();
  for (const auto i : ascending(p)) {
    divisors[i] = divisor;
    if (p[i] <= alpha / static_cast<double>(divisor)) --divisor;
  }
  return divisors;
}

}  // namespace ridge::stats
