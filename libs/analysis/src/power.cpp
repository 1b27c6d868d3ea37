// SPDX-License-Identifier: Apache-2.0
#include <ridge/analysis/power.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include <ridge/stats/quantile.hpp>
#include <ridge/stats/relative_least_squares.hpp>

namespace ridge::analysis {
namespace {

constexpr double near_limit = 0.97;  // relative to the limit: mean power while the GPU regulates
constexpr double huber = 0.08;       // larger relative residuals have less weight

bool capped(const power_row& r, double limit_w) { return r.watts >= near_limit * limit_w; }

double free_watts(const power_model& m, const power_row& r) {
  return m.idle_w + m.memory_w * r.memory_share + m.compute_w * r.compute_share;
}

void solve(power_model& m, std::span<const power_row> rows) {
  for (int round = 0; round < 30; ++round) {
    std::vector<std::array<double, 3>> terms;
    std::vector<double> weights;
    for (const auto& r : rows) {
      const double expected = free_watts(m, r);
      // A row at the limit is only a lower bound of the sum.
      if (capped(r, m.limit_w) && round > 0 && expected >= r.watts) continue;
      terms.push_back({1 / r.watts, r.memory_share / r.watts, r.compute_share / r.watts});
      const double residual = std::fabs(expected / r.watts - 1);
      weights.push_back(round == 0 || residual <= huber ? 1 : huber / residual);
    }
    if (terms.size() < 3) break;
    const auto a = stats::relative_least_squares(terms, 3, weights);
    m.idle_w = a[0], m.memory_w = a[1], m.compute_w = a[2];
  }
}

result<void> check(std::span<const power_row> rows, double limit_w) {
  if (!(limit_w > 0))
    return error{"the power limit is not above zero", "give the GPU's power limit in watts"};
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto& r = rows[i];
    const bool shares =
        r.memory_share >= 0 && r.memory_share <= 1.05 && r.compute_share >= 0 && r.compute_share <= 1.05;
    if (!shares || !(r.watts > 0) || r.watts > 2 * limit_w)
      return error{fmt::format("row {}: shares {:g} and {:g}, {:g} W make no sense under a limit of {:g} W",
                               i + 1, r.memory_share, r.compute_share, r.watts, limit_w),
                   "shares are between 0 and 1, watts of one GPU"};
  }
  if (rows.size() < 4)
    return error{"a power model has three coefficients and needs at least four rows", "measure more loads"};
  return {};
}

power_model solved(std::span<const power_row> rows, double limit_w) {
  power_model m{.limit_w = limit_w, .rows = rows.size()};
  m.capped = static_cast<std::size_t>(
      std::ranges::count_if(rows, [&](const power_row& r) { return capped(r, limit_w); }));
  solve(m, rows);
  return m;
}

void judge(power_model& m, std::span<const power_row> rows) {
  std::set<std::string> groups;
  for (const auto& r : rows) groups.insert(r.group);
  std::vector<double> errors;
  for (const auto& left_out : groups) {
    std::vector<power_row> others;
    std::ranges::copy_if(rows, std::back_inserter(others),
                         [&](const power_row& r) { return r.group != left_out; });
    const auto from = groups.size() > 1 && others.size() >= 4 ? solved(others, m.limit_w) : m;
    for (const auto& r : rows) {
      if (r.group == left_out)
        errors.push_back(std::fabs(from.at(r.memory_share, r.compute_share) / r.watts - 1));
    }
  }
  std::ranges::sort(errors);
  m.median_error = stats::sorted_quantile(errors, 0.5);
  m.p90_error = stats::sorted_quantile(errors, 0.9);
}

}  // namespace

double power_model::at(double memory_share, double compute_share) const {
  return std::min(limit_w, idle_w + memory_w * memory_share + compute_w * compute_share);
}

result<power_model> fit_power(std::span<const power_row> rows, double limit_w) {
  const auto sound = check(rows, limit_w);
  if (!sound) return sound.why();
  auto m = solved(rows, limit_w);
  judge(m, rows);
  return m;
}

}  // namespace ridge::analysis
