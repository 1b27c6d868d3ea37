// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include <ridge/model/run.hpp>

namespace ridge::model {

// What one variant of a comparison showed in its metric. Values that were not seen are NaN.
struct arm {
  std::string variant{};
  double median = 0;
  ridge::interval ci{};
  std::string unit{};
  std::optional<double> of_ceiling{};
  model::bound bound{model::bound::unknown};
  std::optional<double> memory_bytes{};
  std::optional<double> energy_j{};
};

// A comparison that can be read without its family: the row of JSON lines, CSV, stores and histories.
struct comparison_row {
  std::string experiment{};
  std::string problem{};  // text(problem_point)
  problem_point axes{};
  model::backend backend{model::backend::cpu};
  model::comparison comparison{};
  std::array<arm, 2> arms{};  // the reference, the candidate
};

// Returns the row of a comparison whose variants belong to `family`; an arm whose variant or metric is
// missing there holds NaN.
[[nodiscard]] comparison_row row(const family& family, const comparison& comparison);
// Returns the rows of all comparisons of a run, in the order of its families.
[[nodiscard]] std::vector<comparison_row> rows(const run& run);

// Returns the measurement of a variant, or its estimate of a metric; null when there is none.
[[nodiscard]] const measurement* find(const family& family, std::string_view variant);
[[nodiscard]] const estimate* find(const measurement& measurement, std::string_view metric);

}  // namespace ridge::model
