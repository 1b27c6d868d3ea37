// SPDX-License-Identifier: Apache-2.0
#include <ridge/analysis/whatif.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include <ridge/base/expects.hpp>

namespace ridge::analysis {
namespace {

constexpr double nothing = std::numeric_limits<double>::quiet_NaN();

double value_of(const candidate& c, const std::string& key) {
  const auto at = c.values.find(key);
  return at == c.values.end() ? nothing : at->second;
}

judged judge(std::size_t place, const candidate& c, std::span<const constraint> limits) {
  judged j{.candidate = place};
  for (std::size_t i = 0; i < limits.size(); ++i) {
    const double excess = limits[i].excess(value_of(c, limits[i].key()));
    j.excess.push_back(excess);
    if (std::isnan(excess))
      j.unknown.push_back(i);
    else if (excess > 0)
      j.violated.push_back(i);
    else if (!j.binding || excess > j.excess[*j.binding])
      j.binding = i;
  }
  return j;
}

double effort_of(const judged& j) {
  double sum = 0;
  for (const auto i : j.violated) sum += j.excess[i];
  return sum;
}

// The constraints that a candidate does not meet, as a bit mask.
std::uint64_t unmet(const judged& j) {
  std::uint64_t bits = 0;
  for (const auto i : j.violated) bits |= std::uint64_t{1} << i;
  for (const auto i : j.unknown) bits |= std::uint64_t{1} << i;
  return bits;
}

// The smallest set of constraints of which every candidate violates at least one: sets by size, then in
// order.
std::vector<std::size_t> smallest_conflict(std::span<const judged> rejected, std::size_t constraints) {
  std::uint64_t best = (std::uint64_t{1} << constraints) - 1;
  for (std::uint64_t set = 1; set < (std::uint64_t{1} << constraints); ++set) {
    if (std::popcount(set) >= std::popcount(best)) continue;
    if (std::ranges::all_of(rejected, [&](const judged& j) { return (unmet(j) & set) != 0; })) best = set;
  }
  std::vector<std::size_t> all;
  for (std::size_t i = 0; i < constraints; ++i) {
    if (best >> i & 1) all.push_back(i);
  }
  return all;
}

// For each set of constraints the candidate that needs the smallest change.
std::vector<relaxation> relaxations_of(std::span<const candidate> all, std::span<const constraint> limits,
                                       std::span<const judged> rejected) {
  std::map<std::uint64_t, relaxation> by_set;
  for (const auto& j : rejected) {
    if (!j.unknown.empty()) continue;
    const double effort = effort_of(j);
    const auto [at, fresh] = by_set.try_emplace(unmet(j));
    if (!fresh && at->second.effort <= effort) continue;
    relaxation r{.constraints = j.violated, .opens = j.candidate, .effort = effort};
    for (const auto i : j.violated) r.limits.push_back(value_of(all[j.candidate], limits[i].key()));
    at->second = std::move(r);
  }
  std::vector<relaxation> ordered;
  for (auto& [set, r] : by_set) ordered.push_back(std::move(r));
  std::ranges::stable_sort(ordered, {},
                           [](const relaxation& r) { return std::pair(r.constraints.size(), r.effort); });
  return ordered;
}

std::vector<std::string> differences(const candidate& a, const candidate& b) {
  std::vector<std::string> all;
  for (const auto& [key, value] : a.settings) {
    const auto at = b.settings.find(key);
    if (at == b.settings.end() || at->second != value) all.push_back(key);
  }
  for (const auto& [key, value] : b.settings) {
    if (!a.settings.contains(key)) all.push_back(key);
  }
  return all;
}

std::optional<change> nearest_change(std::span<const candidate> all, std::span<const judged> feasible,
                                     std::size_t current) {
  std::optional<change> best;
  for (const auto& j : feasible) {
    auto settings = differences(all[current], all[j.candidate]);
    if (!best || settings.size() < best->settings.size())
      best = change{.target = j.candidate, .settings = std::move(settings)};
  }
  return best;
}

}  // namespace

whatif_answer solve_whatif(std::span<const candidate> all, std::span<const constraint> limits,
                           const objective& goal, std::optional<std::size_t> current) {
  expects(limits.size() <= 16, "solve_whatif: at most 16 constraints");
  whatif_answer answer;
  for (std::size_t i = 0; i < all.size(); ++i) {
    auto j = judge(i, all[i], limits);
    (j.feasible() ? answer.feasible : answer.rejected).push_back(std::move(j));
  }
  const auto rank = [&](const judged& j) {
    const double v = value_of(all[j.candidate], goal.key);
    return std::isnan(v) ? std::numeric_limits<double>::infinity() : goal.least ? v : -v;
  };
  std::ranges::stable_sort(answer.feasible, {}, rank);
  std::ranges::stable_sort(answer.rejected, {}, [](const judged& j) {
    return std::tuple(j.unknown.size(), j.violated.size(), effort_of(j));
  });
  if (!answer.feasible.empty()) {
    if (current) answer.nearest = nearest_change(all, answer.feasible, *current);
    return answer;
  }
  if (!all.empty() && !limits.empty()) answer.conflict = smallest_conflict(answer.rejected, limits.size());
  answer.relaxations = relaxations_of(all, limits, answer.rejected);
  return answer;
}

std::vector<sensitivity> sensitivities(std::span<const candidate> all, std::span<const constraint> limits,
                                       const objective& goal) {
  constexpr double share = 0.1;
  const auto best_with = [&](std::size_t moved, double factor) {
    std::vector<constraint> changed(limits.begin(), limits.end());
    changed[moved].limit *= factor;
    const auto answer = solve_whatif(all, changed, goal);
    return answer.feasible.empty() ? nothing : value_of(all[answer.feasible.front().candidate], goal.key);
  };
  std::vector<sensitivity> each;
  for (std::size_t i = 0; i < limits.size(); ++i) {
    const double outwards = limits[i].at_most == (limits[i].limit >= 0) ? 1 + share : 1 - share;
    each.push_back(
        {.constraint = i, .tighter = best_with(i, 2 - outwards), .looser = best_with(i, outwards)});
  }
  return each;
}

}  // namespace ridge::analysis
