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
  std::string group{};  // what is left out together when errors are judged: a model, a kernel
};

// P = min(limit, idle + memory · m + compute · c). Clocks and voltages are not in it: a GPU at its limit
// slows down instead.
struct power_model {
  std::string gpu{};
  double limit_w = 0;
  double idle_w = 0, memory_w = 0, compute_w = 0;
  std::size_t rows = 0;
  std::size_t capped = 0;                  // rows at the limit: they bound coefficients from below only
  double median_error = 0, p90_error = 0;  // relative, each group predicted from the others
  std::string source{}, date{};

  [[nodiscard]] double at(double memory_share, double compute_share) const;
};

// Least squares of relative residuals, coefficients not negative, wild rows weighed down (Huber 1964). The
// error names the row that makes no sense, or says that rows are too few.
[[nodiscard]] result<power_model> fit_power(std::span<const power_row> rows, double limit_w);

// The models inside the program (libs/analysis/data/power.json); by the name of a GPU in the catalogue, or
// null.
[[nodiscard]] std::span<const power_model> known_power_models();
[[nodiscard]] const power_model* power_model_of(std::string_view gpu);

}  // namespace ridge::analysis
