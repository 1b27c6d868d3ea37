// SPDX-License-Identifier: Apache-2.0
#include <ridge/stats/scaling.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

#include <ridge/base/expects.hpp>
#include <ridge/stats/relative_least_squares.hpp>

#include "scaling_solved.hpp"

namespace ridge::stats {
namespace {

std::size_t parameters_of(scaling_law law) { return law == scaling_law::usl ? 3 : 2; }

std::size_t distinct_workers(std::span<const scaling_point> points) {
  std::vector<double> n;
  for (const auto& p : points) n.push_back(p.workers);
  std::ranges::sort(n);
  return static_cast<std::size_t>(std::ranges::unique(n).begin() - n.begin());
}

result<void> check(scaling_law law, std::span<const scaling_point> points) {
  for (std::size_t i = 0; i < points.size(); ++i) {
    const auto& p = points[i];
    const auto at = "point " + std::to_string(i + 1);
    if (!std::isfinite(p.workers) || p.workers < 1)
      return error{at + ": workers must be at least 1", "give N:throughput"};
    if (!std::isfinite(p.throughput) || p.throughput <= 0)
      return error{at + ": throughput must be above zero", "give N:throughput"};
  }
  const auto needed = parameters_of(law);
  if (distinct_workers(points) < needed)
    return error{std::string(name_of(law)) + " has " + std::to_string(needed) + " coefficients, and only " +
                     std::to_string(distinct_workers(points)) + " different numbers of workers were measured",
                 "measure more numbers of workers"};
  return {};
}

// 1/X-shaped laws: N/X = 1/l + (s/l)(N - 1) + (k/l) N (N - 1), each row divided by its left side.
void solve_contention(scaling_fit& f, std::span<const scaling_point> points) {
  const std::size_t columns = f.law == scaling_law::usl ? 3 : 2;
  std::vector<std::array<double, 3>> rows;
  for (const auto& p : points) {
    const double y = p.workers / p.throughput;
    rows.push_back({1 / y, (p.workers - 1) / y, p.workers * (p.workers - 1) / y});
  }
  const auto a = relative_least_squares(rows, columns);
  f.single = 1 / a[0];
  f.serial = a[1] / a[0];
  f.crosstalk = a[2] / a[0];
}

// X = l (1 - s) N + l s, each row divided by X.
void solve_gustafson(scaling_fit& f, std::span<const scaling_point> points) {
  std::vector<std::array<double, 3>> rows;
  for (const auto& p : points) rows.push_back({p.workers / p.throughput, 1 / p.throughput, 0});
  const auto a = relative_least_squares(rows, 2);
  f.single = a[0] + a[1];
  f.serial = a[1] / f.single;
}

void solve_power(scaling_fit& f, std::span<const scaling_point> points) {
  double mx = 0, my = 0, xx = 0, xy = 0;
  const auto n = static_cast<double>(points.size());
  for (const auto& p : points) mx += std::log(p.workers) / n, my += std::log(p.throughput) / n;
  for (const auto& p : points) {
    const double dx = std::log(p.workers) - mx;
    xx += dx * dx;
    xy += dx * (std::log(p.throughput) - my);
  }
  f.exponent = xy / xx;
  f.single = std::exp(my - f.exponent * mx);
}

void judge(scaling_fit& f, std::span<const scaling_point> points) {
  double squares = 0;
  for (const auto& p : points) squares += std::pow(std::log(p.throughput / f.at(p.workers)), 2);
  const auto n = static_cast<double>(points.size()), p = static_cast<double>(f.parameters);
  f.points = points.size();
  f.relative_error = points.size() > f.parameters ? std::sqrt(squares / (n - p)) : 0;
  const double k = p + 1;  // and the variance
  f.aicc = n > k + 1 ? n * std::log(std::max(squares / n, 1e-30)) + 2 * k + 2 * k * (k + 1) / (n - k - 1)
                     : std::numeric_limits<double>::infinity();
}

// Error of log X at each point when the law is fitted to the others (leave-one-out cross-validation).
double left_out_error(scaling_law law, std::span<const scaling_point> points) {
  double squares = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    std::vector<scaling_point> others(points.begin(), points.end());
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
    if (!check(law, others)) return std::numeric_limits<double>::infinity();
    const double predicted = solved(law, others).at(points[i].workers);
    if (!(predicted > 0)) return std::numeric_limits<double>::infinity();
    squares += std::pow(std::log(points[i].throughput / predicted), 2);
  }
  return std::sqrt(squares / static_cast<double>(points.size()));
}

}  // namespace

std::string_view name_of(scaling_law law) {
  switch (law) {
    case scaling_law::amdahl:
      return "Amdahl";
    case scaling_law::gustafson:
      return "Gustafson";
    case scaling_law::usl:
      return "USL";
    case scaling_law::power:
      return "power law";
  }
  return "";
}

double scaling_fit::at(double workers) const {
  switch (law) {
    case scaling_law::gustafson:
      return single * (workers - serial * (workers - 1));
    case scaling_law::power:
      return single * std::pow(workers, exponent);
    default:
      return single * workers / (1 + serial * (workers - 1) + crosstalk * workers * (workers - 1));
  }
}

std::optional<double> scaling_fit::peak_workers() const {
  if (law != scaling_law::usl || crosstalk <= 0 || serial >= 1) return {};
  return std::sqrt((1 - serial) / crosstalk);
}

scaling_fit solved(scaling_law law, std::span<const scaling_point> points) {
  scaling_fit f{.law = law, .parameters = parameters_of(law)};
  if (law == scaling_law::gustafson)
    solve_gustafson(f, points);
  else if (law == scaling_law::power)
    solve_power(f, points);
  else
    solve_contention(f, points);
  judge(f, points);
  return f;
}

result<scaling_fit> fit_scaling(scaling_law law, std::span<const scaling_point> points) {
  const auto sound = check(law, points);
  if (!sound) return sound.why();
  auto f = solved(law, points);
  f.left_out_error = left_out_error(law, points);
  return f;
}

bool compared_by_aicc(std::span<const scaling_fit> fits) {
  constexpr std::size_t least_points = 8;
  return std::ranges::all_of(
      fits, [](const scaling_fit& f) { return f.points >= least_points && std::isfinite(f.aicc); });
}

result<std::vector<scaling_fit>> fit_scaling_laws(std::span<const scaling_point> points) {
  std::vector<scaling_fit> all;
  for (const auto law : {scaling_law::amdahl, scaling_law::gustafson, scaling_law::usl, scaling_law::power}) {
    const auto one = fit_scaling(law, points);
    if (one) all.push_back(*one);
    if (!one && law == scaling_law::amdahl) return one.why();
  }
  // A law that uses every point for a coefficient fits anything, so it comes last: it has neither measure.
  const bool by_aicc = compared_by_aicc(all);
  std::ranges::stable_sort(all, {}, [by_aicc](const scaling_fit& f) {
    return std::tuple(by_aicc ? f.aicc : f.left_out_error, f.parameters, f.relative_error);
  });
  return all;
}

double karp_flatt(double speedup, double workers) {
  expects(workers > 1 && speedup > 0, "karp_flatt: several workers and a speedup above zero");
  return (1 / speedup - 1 / workers) / (1 - 1 / workers);
}

}  // namespace ridge::stats
