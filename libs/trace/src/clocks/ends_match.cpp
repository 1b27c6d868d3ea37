// SPDX-License-Identifier: Apache-2.0
#include "clocks/ends_match.hpp"

#include <algorithm>
#include <cstdlib>

#include "timeline/integer_median.hpp"

namespace ridge::trace {
namespace {

constexpr std::size_t least = 3;
constexpr std::size_t anchors = 16;       // number of own ends whose partners are tried
constexpr std::ptrdiff_t farthest = 256;  // how many collectives away a partner may be
constexpr nanoseconds one_ms = 1'000'000, twenty_us = 20'000;

using places = std::vector<std::optional<std::size_t>>;

struct placing {
  nanoseconds offset = 0;
  std::size_t met = 0;
  nanoseconds strayed = 0;  // mean distance of those that met from their median
  places partners{};
};

placing placed(std::span<const nanoseconds> longest, std::span<const nanoseconds> own, nanoseconds offset,
               nanoseconds tolerance) {
  placing p{.offset = offset, .partners = places(own.size())};
  std::vector<nanoseconds> apart;
  std::size_t at = 0;
  for (std::size_t k = 0; k < own.size(); ++k) {
    const auto wanted = own[k] + offset;
    while (at < longest.size() && longest[at] < wanted - tolerance) ++at;
    if (at == longest.size() || longest[at] > wanted + tolerance) continue;
    apart.push_back(longest[at] - wanted);
    p.partners[k] = at++;
  }
  p.met = apart.size();
  if (apart.empty()) return p;
  const auto usual = median(apart, middle::between);
  for (const auto a : apart) p.strayed += std::abs(a - usual);
  p.strayed /= static_cast<nanoseconds>(apart.size());
  p.offset += usual;
  return p;
}

bool better(const placing& a, const placing& b) {
  return a.met != b.met ? a.met > b.met : a.strayed < b.strayed;
}

// Returns whether nearly as many coincide elsewhere, and nearly as closely.
bool rivals(const placing& best, const placing& other, nanoseconds tolerance) {
  return std::abs(best.offset - other.offset) > 2 * tolerance && 10 * other.met >= 9 * best.met &&
         other.strayed < 2 * best.strayed + 1;
}

std::vector<placing> possible_placings(std::span<const nanoseconds> longest, std::span<const nanoseconds> own,
                                       nanoseconds tolerance) {
  std::vector<placing> all;
  const auto step = std::max<std::size_t>(1, own.size() / anchors);
  const auto surplus = static_cast<std::ptrdiff_t>(longest.size() - own.size());
  for (std::size_t k = 0; k < own.size(); k += step) {
    const auto at = static_cast<std::ptrdiff_t>(k);
    const auto from = std::max<std::ptrdiff_t>(0, at - farthest);
    const auto to = std::min(static_cast<std::ptrdiff_t>(longest.size()), at + surplus + farthest + 1);
    for (auto i = from; i < to; ++i) {
      auto p = placed(longest, own, longest[static_cast<std::size_t>(i)] - own[k], tolerance);
      if (p.met >= least && 3 * p.met >= own.size()) all.push_back(std::move(p));
    }
  }
  return all;
}

}  // namespace

nanoseconds tolerance_of(std::span<const nanoseconds> ends) {
  std::vector<nanoseconds> gaps;
  for (std::size_t k = 1; k < ends.size(); ++k) gaps.push_back(ends[k] - ends[k - 1]);
  if (gaps.empty()) return one_ms;
  const auto gap = median(std::move(gaps), middle::between);
  return std::clamp(gap / 10, std::min(twenty_us, gap / 2), one_ms);
}

bool in_step(std::span<const nanoseconds> a, std::span<const nanoseconds> b, nanoseconds tolerance) {
  std::size_t agree = 0;
  for (std::size_t k = 1; k < a.size(); ++k) {
    const auto of_a = a[k] - a[k - 1], of_b = b[k] - b[k - 1];
    agree += std::abs(of_a - of_b) <= tolerance + of_a / 10'000;  // clocks drift by up to 100 ppm
  }
  return 4 * agree >= 3 * (a.size() - 1);
}

std::optional<places> match_ends(std::span<const nanoseconds> longest, std::span<const nanoseconds> own,
                                 nanoseconds tolerance) {
  if (own.size() < least || longest.size() < own.size()) return std::nullopt;
  const auto all = possible_placings(longest, own, tolerance);
  if (all.empty()) return std::nullopt;
  const auto best = std::ranges::min_element(all, better);
  for (const auto& other : all)
    if (rivals(*best, other, tolerance)) return std::nullopt;
  return placed(longest, own, best->offset, tolerance).partners;
}

}  // namespace ridge::trace
