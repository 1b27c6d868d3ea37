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

// How throughput X grows with N workers.
enum class scaling_law : std::uint8_t {
  amdahl,     // X = l N / (1 + s (N - 1)): a share s of the work is serial (Amdahl 1967)
  gustafson,  // X = l (N - s (N - 1)): work grows with N, a share s does not (Gustafson 1988)
  usl,        // X = l N / (1 + s (N - 1) + k N (N - 1)): contention s and crosstalk k (Gunther 1993)
  power,      // X = l N^b
};

// "amdahl", "gustafson", "usl" or "power".
[[nodiscard]] std::string_view name_of(scaling_law law);

struct scaling_point {
  double workers = 1;     // at least 1
  double throughput = 0;  // above zero
};

// A law with its coefficients: l (throughput of one worker), then s, s and k, or b.
struct scaling_fit {
  scaling_law law{scaling_law::amdahl};
  double single = 0;                 // l
  double serial = 0, crosstalk = 0;  // s, k; 0 where the law has none
  double exponent = 1;               // b
  double relative_error = 0;  // root mean square of the residuals of log X, over the degrees of freedom
  double aicc = 0;  // Akaike's criterion with correction for few points; infinite when they are too few
  std::size_t points = 0, parameters = 0;

  // Throughput that the law predicts for so many workers, and its share of perfect scaling from one (1:
  // perfect).
  [[nodiscard]] double at(double workers) const;
  [[nodiscard]] double efficiency(double workers) const { return at(workers) / (single * workers); }
  // USL: sqrt((1 - s)/k), where throughput is greatest; nothing where it never falls.
  [[nodiscard]] std::optional<double> peak_workers() const;
};

// Least squares of relative residuals, coefficients not negative. The error says what is wrong with which
// point, or how many points the law asks for.
[[nodiscard]] result<scaling_fit> fit_scaling(scaling_law law, std::span<const scaling_point> points);

// Every law that the points are enough for, the best first by AICc.
[[nodiscard]] result<std::vector<scaling_fit>> fit_scaling_laws(std::span<const scaling_point> points);

struct scaling_prediction {
  double workers = 0;
  double throughput = 0;
  interval band{};            // where a new measurement falls with probability `level`, by bootstrap
  bool extrapolated = false;  // outside the measured workers
};

// A prediction with its band: the residuals are drawn again and again onto the fit, the law fitted to each, a
// residual added (bootstrap of residuals, inflated by sqrt(n/(n - p))). Refused where there is no band to
// give: as many coefficients as points, or all residuals nil by construction.
[[nodiscard]] result<std::vector<scaling_prediction>> predict_scaling(const scaling_fit& fit,
                                                                      std::span<const scaling_point> points,
                                                                      std::span<const double> workers,
                                                                      double level = 0.95,
                                                                      std::uint64_t seed = 1);

// The interval of each coefficient by the same bootstrap: {single, serial, crosstalk, exponent}.
struct scaling_intervals {
  interval single{}, serial{}, crosstalk{}, exponent{};
  std::optional<interval> peak_workers{};
};

// Percentile intervals at `level`; an error where a fit fails, as in fit_scaling.
[[nodiscard]] result<scaling_intervals> scaling_coefficients(const scaling_fit& fit,
                                                             std::span<const scaling_point> points,
                                                             double level = 0.95, std::uint64_t seed = 1);

// The serial share that one speedup shows: (1/S - 1/N)/(1 - 1/N) (Karp & Flatt 1990). N above 1, S above 0.
[[nodiscard]] double karp_flatt(double speedup, double workers);

}  // namespace ridge::stats
