// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include <ridge/model/run.hpp>

namespace ridge::model {

// What one variant showed in the metric of a comparison. NaN where it was not seen.
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

// A comparison that needs no family beside it to be read: the row of JSON lines, CSV, stores and histories.
struct comparison_row {
  std::string experiment{};
  std::string problem{};  // text(problem_point)
  problem_point axes{};
  model::backend backend{model::backend::cpu};
  model::comparison comparison{};
  std::array<arm, 2> arms{};  // the reference, the candidate
};

// `comparison` names variants of `family`; an arm whose variant or metric is missing there holds NaN.
[[nodiscard]] comparison_row row(const family& family, const comparison& comparison);
[[nodiscard]] std::vector<comparison_row> rows(const run& run);

// The measurement of a variant, or its estimate of a metric; null when absent.
[[nodiscard]] const measurement* find(const family& family, std::string_view variant);
[[nodiscard]] const estimate* find(const measurement& measurement, std::string_view metric);

}  // namespace ridge::model
