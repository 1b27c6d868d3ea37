// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <ridge/base/result.hpp>

namespace ridge::analysis {

// One measurement of a GPU under load: shares of its specified memory bandwidth and of its dense matrix peak,
// averaged over the time that the watts are averaged over.
struct power_row {
  double memory_share = 0, compute_share = 0;
  double watts = 0;
  std::string group{};  // rows left out together when errors are estimated: a model, a kernel
};

// Power in watts: P = min(limit, idle + memory · m + compute · c), with the shares m and c of power_row.
// Clocks and voltages are not modelled: a GPU at its limit slows down.
struct power_model {
  std::string gpu{};
  double limit_w = 0;
  double idle_w = 0, memory_w = 0, compute_w = 0;
  std::size_t rows = 0;
  std::size_t capped = 0;                  // rows at the limit, which bound the coefficients only from below
  double median_error = 0, p90_error = 0;  // relative, each group predicted from the others
  std::string source{}, date{};

  // Watts at these shares.
  [[nodiscard]] double at(double memory_share, double compute_share) const;
};

// Fits a model by least squares of relative residuals with non-negative coefficients; outliers have less
// weight (Huber, 1964). The error names the row that is out of range, or says that there are too few rows.
[[nodiscard]] result<power_model> fit_power(std::span<const power_row> rows, double limit_w);

// The models in the program (libs/analysis/data/power.json), and the one of a GPU by its name in the
// catalogue; null when there is none.
[[nodiscard]] std::span<const power_model> known_power_models();
[[nodiscard]] const power_model* power_model_of(std::string_view gpu);

}  // namespace ridge::analysis
