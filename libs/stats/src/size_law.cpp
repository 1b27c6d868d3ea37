// SPDX-License-Identifier: Apache-2.0
#include <ridge/stats/size_law.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include <fmt/format.h>

#include <ridge/stats/special.hpp>

namespace ridge::stats {
namespace {

constexpr double level = 0.95;
constexpr std::size_t least_sizes = 3;

// A point in the coordinates in which the law is linear: target = linear[0] u + linear[1] v.
struct linear_point {
  double u = 0, v = 0, target = 1;
};

// Relative residuals: the rows of start_up and saturating are divided by the measured value. The power law is
// linear in logarithms, whose differences are relative already.
linear_point linear_of(size_law law, const size_point& p) {
  switch (law) {
    case size_law::power:
      return {1, std::log(p.size), std::log(p.value)};
    case size_law::start_up:
      return {1 / p.value, p.size / p.value, 1};
    case size_law::saturating:  // x / y = (h + x) / r
      return {p.value / p.size, p.value, 1};
  }
  return {};
}

// Least squares of two columns, or of one where the other is held at zero.
struct linear_fit {
  double b[2] = {0, 0};
  double inverse[3] = {0, 0, 0};  // of the normal matrix
  std::size_t columns = 2;
};

struct normal_matrix {
  double uu = 0, uv = 0, vv = 0, ut = 0, vt = 0;

  explicit normal_matrix(std::span<const linear_point> points) {
    for (const auto& p : points) {
      uu += p.u * p.u, uv += p.u * p.v, vv += p.v * p.v;
      ut += p.u * p.target, vt += p.v * p.target;
    }
  }
};

linear_fit fit_both(const normal_matrix& m) {
  const double d = m.uu * m.vv - m.uv * m.uv;
  return {.b = {(m.vv * m.ut - m.uv * m.vt) / d, (m.uu * m.vt - m.uv * m.ut) / d},
          .inverse = {m.vv / d, -m.uv / d, m.uu / d}};
}

linear_fit fit_linear(size_law law, std::span<const linear_point> points) {
  const normal_matrix m(points);
  auto fit = fit_both(m);
  if (law == size_law::power || (fit.b[0] >= 0 && fit.b[1] >= 0)) return fit;
  if (fit.b[0] < 0) return {.b = {0, m.vt / m.vv}, .inverse = {0, 0, 1 / m.vv}, .columns = 1};
  return {.b = {m.ut / m.uu, 0}, .inverse = {1 / m.uu, 0, 0}, .columns = 1};
}

std::vector<linear_point> linear_points(size_law law, std::span<const size_point> points) {
  std::vector<linear_point> all;
  for (const auto& p : points) all.push_back(linear_of(law, p));
  return all;
}

double value_at(size_law law, const double (&b)[2], double size) {
  if (law == size_law::power) return std::exp(b[0] + b[1] * std::log(size));
  const double sum = b[0] + b[1] * size;
  return law == size_law::start_up ? sum : size / sum;
}

interval around(double value, double variance, double quantile) {
  const double wide = quantile * std::sqrt(std::max(0.0, variance));
  return {value - wide, value + wide};
}

interval not_negative(interval x) { return {std::max(0.0, x.lo), std::max(0.0, x.hi)}; }

// The coefficients of the law from those of its linear form, with their intervals.
void state_coefficients(size_fit& fit) {
  const auto& b = fit.linear;
  const auto& c = fit.covariance;
  const auto first = around(b[0], c[0], fit.quantile), second = around(b[1], c[2], fit.quantile);
  if (fit.law == size_law::power) {
    fit.first = std::exp(b[0]), fit.first_ci = {std::exp(first.lo), std::exp(first.hi)};
    fit.second = b[1], fit.second_ci = second;
  } else if (fit.law == size_law::start_up) {
    fit.first = b[0], fit.first_ci = not_negative(first);
    fit.second = b[1], fit.second_ci = not_negative(second);
  } else {
    // r = 1 / b1 and h = b0 / b1, whose variance is that of a quotient (delta method).
    constexpr double unlimited = std::numeric_limits<double>::infinity();
    fit.first = b[1] > 0 ? 1 / b[1] : unlimited;
    fit.first_ci = {second.hi > 0 ? 1 / second.hi : unlimited, second.lo > 0 ? 1 / second.lo : unlimited};
    fit.second = b[1] > 0 ? b[0] / b[1] : unlimited;
    const double h = fit.second;
    fit.second_ci =
        std::isfinite(h)
            ? not_negative(around(h, (c[0] + h * h * c[2] - 2 * h * c[1]) / (b[1] * b[1]), fit.quantile))
            : interval{0, unlimited};
  }
}

std::size_t distinct_sizes(std::span<const size_point> points) {
  std::set<double> sizes;
  for (const auto& p : points) sizes.insert(p.size);
  return sizes.size();
}

result<void> check(std::span<const size_point> points) {
  for (const auto& p : points) {
    if (!std::isfinite(p.size) || !std::isfinite(p.value) || !(p.size > 0) || !(p.value > 0))
      return error{fmt::format("{:g} at the size {:g} is not above 0", p.value, p.size), "leave it out"};
  }
  if (distinct_sizes(points) < least_sizes)
    return error{fmt::format("{} sizes do not show how a value grows", distinct_sizes(points)),
                 fmt::format("measure at least {}", least_sizes)};
  return {};
}

double left_out_error(size_law law, std::span<const size_point> points) {
  double squares = 0;
  for (std::size_t out = 0; out < points.size(); ++out) {
    std::vector<size_point> others(points.begin(), points.end());
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(out));
    if (distinct_sizes(others) < 2) return std::numeric_limits<double>::infinity();
    const auto fit = fit_linear(law, linear_points(law, others));
    const double off = std::log(value_at(law, fit.b, points[out].size) / points[out].value);
    squares += off * off;
  }
  return std::sqrt(squares / static_cast<double>(points.size()));
}

}  // namespace

std::string_view name_of(size_law law) {
  switch (law) {
    case size_law::power:
      return "power";
    case size_law::start_up:
      return "start_up";
    case size_law::saturating:
      return "saturating";
  }
  return "";
}

std::optional<double> size_fit::at(double size) const {
  if (!sizes.contains(size)) return std::nullopt;
  return value_at(law, linear, size);
}

std::optional<interval> size_fit::band(double size) const {
  if (!sizes.contains(size)) return std::nullopt;
  const double x = law == size_law::power ? std::log(size) : size;
  const double variance = covariance[0] + 2 * x * covariance[1] + x * x * covariance[2];
  const auto sum = around(linear[0] + linear[1] * x, variance, quantile);
  if (law == size_law::power) return interval{std::exp(sum.lo), std::exp(sum.hi)};
  if (law == size_law::start_up) return not_negative(sum);
  return interval{size / sum.hi, sum.lo > 0 ? size / sum.lo : std::numeric_limits<double>::infinity()};
}

result<size_fit> fit_size(size_law law, std::span<const size_point> points) {
  if (auto checked = check(points); !checked) return checked.why();
  const auto rows = linear_points(law, points);
  const auto found = fit_linear(law, rows);
  double squares = 0;
  for (const auto& r : rows) {
    const double off = r.target - found.b[0] * r.u - found.b[1] * r.v;
    squares += off * off;
  }
  const double freedom = static_cast<double>(points.size() - found.columns);
  size_fit fit{.law = law, .left_out_error = left_out_error(law, points)};
  const auto [least, most] = std::ranges::minmax(points, {}, &size_point::size);
  fit.sizes = {least.size, most.size};
  for (int i = 0; i < 3; ++i) fit.covariance[i] = squares / freedom * found.inverse[i];
  for (int i = 0; i < 2; ++i) fit.linear[i] = found.b[i];
  fit.quantile = student_t_quantile((1 + level) / 2, freedom);
  state_coefficients(fit);
  return fit;
}

result<std::vector<size_fit>> fit_size_laws(std::span<const size_law> laws,
                                            std::span<const size_point> points) {
  std::vector<size_fit> all;
  for (const auto law : laws) {
    auto fit = fit_size(law, points);
    if (!fit) return fit.why();
    all.push_back(*fit);
  }
  std::ranges::stable_sort(all, {}, &size_fit::left_out_error);
  return all;
}

}  // namespace ridge::stats
