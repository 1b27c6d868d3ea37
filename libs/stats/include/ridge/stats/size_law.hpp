// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include <ridge/base/interval.hpp>
#include <ridge/base/result.hpp>

namespace ridge::stats {

// How a time or a rate y grows with the size x of a problem.
enum class size_law : std::uint8_t {
  power,       // y = f x^e
  start_up,    // y = a + b x: a start-up time and a time for each unit (Hockney's alpha-beta)
  saturating,  // y = r x / (x + h): a rate that approaches r and is half of it at h
};

// Returns "power", "start_up" or "saturating".
[[nodiscard]] std::string_view name_of(size_law law);

// What was measured at one size; both are above zero.
struct size_point {
  double size = 0;
  double value = 0;
};

// A law with its two coefficients: f and e, a and b, or r and h. Intervals rest on the residuals and
// Student's t, so that few points give wide ones.
struct size_fit {
  size_law law{size_law::power};
  double first = 0, second = 0;
  interval first_ci{}, second_ci{};  // 95 %
  double left_out_error = 0;         // root mean square of the errors of log y at each point when the law is
                                     // fitted to the others
  interval sizes{};                  // those measured: the law says nothing outside

  // Returns what the law says of a size among `sizes`; nothing outside.
  [[nodiscard]] std::optional<double> at(double size) const;
  // Returns the 95 % band of the law (not of a new measurement) at such a size; nothing outside.
  [[nodiscard]] std::optional<interval> band(double size) const;

  // The linear model behind it: the covariance of its coefficients, and how far its errors are widened.
  double covariance[3] = {0, 0, 0};  // of first and first, first and second, second and second
  double linear[2] = {0, 0};
  double quantile = 0;  // of Student's t
};

// Fits a law by least squares of relative residuals. The coefficients of start_up and saturating are not
// negative: one that would be is zero, and the other is fitted alone. The error says which point is wrong, or
// that there are fewer than three sizes.
[[nodiscard]] result<size_fit> fit_size(size_law law, std::span<const size_point> points);

// Fits several laws, that with the least error at left-out points first. Errors as in fit_size.
[[nodiscard]] result<std::vector<size_fit>> fit_size_laws(std::span<const size_law> laws,
                                                          std::span<const size_point> points);

}  // namespace ridge::stats
