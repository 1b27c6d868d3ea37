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

// Returns "amdahl", "gustafson", "usl" or "power".
[[nodiscard]] std::string_view name_of(scaling_law law);

// A measured throughput at a number of workers.
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
  double left_out_error = 0;  // root mean square of the errors of log X at each point when the law is fitted
                              // to the others; infinite when these are too few
  std::size_t points = 0, parameters = 0;

  // Returns the throughput that the law predicts for this number of workers.
  [[nodiscard]] double at(double workers) const;
  // Returns the predicted share of perfect scaling from one worker: 1 is perfect.
  [[nodiscard]] double efficiency(double workers) const { return at(workers) / (single * workers); }
  // Returns the number of workers at which throughput is greatest: sqrt((1 - s)/k) of the universal
  // scalability law; nothing where throughput never falls.
  [[nodiscard]] std::optional<double> peak_workers() const;
};

// Fits a law by least squares of relative residuals, without negative coefficients. The error says which
// point is wrong and why, or how many points the law needs.
[[nodiscard]] result<scaling_fit> fit_scaling(scaling_law law, std::span<const scaling_point> points);

// Whether laws are compared by AICc: where all have one, and from eight points. Of fewer its correction
// outweighs any misfit, and falling throughput would be Amdahl's.
[[nodiscard]] bool compared_by_aicc(std::span<const scaling_fit> fits);

// Fits every law that the points suffice for, the best first: by AICc where compared_by_aicc(), else by the
// error at points left out. Errors as in fit_scaling.
[[nodiscard]] result<std::vector<scaling_fit>> fit_scaling_laws(std::span<const scaling_point> points);

// The throughput that a fitted law predicts at a number of workers.
struct scaling_prediction {
  double workers = 0;
  double throughput = 0;
  interval band{};            // where a new measurement falls with probability `level`, by bootstrap
  bool extrapolated = false;  // outside the measured workers
};

// Predicts the throughput at each number of workers, with a band: residuals are drawn repeatedly and added to
// the fit, the law is fitted to each such sample, and a residual is added (bootstrap of residuals, inflated
// by sqrt(n/(n - p))). Returns an error where no band exists: as many coefficients as points, or residuals
// that are zero by construction.
[[nodiscard]] result<std::vector<scaling_prediction>> predict_scaling(const scaling_fit& fit,
                                                                      std::span<const scaling_point> points,
                                                                      std::span<const double> workers,
                                                                      double level = 0.95,
                                                                      std::uint64_t seed = 1);

// Intervals of the coefficients, found by the same bootstrap.
struct scaling_intervals {
  interval single{}, serial{}, crosstalk{}, exponent{};
  std::optional<interval> peak_workers{};
};

// Returns percentile intervals of the coefficients at confidence `level`; an error where a fit fails, as in
// fit_scaling.
[[nodiscard]] result<scaling_intervals> scaling_coefficients(const scaling_fit& fit,
                                                             std::span<const scaling_point> points,
                                                             double level = 0.95, std::uint64_t seed = 1);

// Returns the serial share that one speedup S on N workers shows: (1/S - 1/N)/(1 - 1/N) (Karp & Flatt 1990).
// N is above 1, S above 0.
[[nodiscard]] double karp_flatt(double speedup, double workers);

}  // namespace ridge::stats
