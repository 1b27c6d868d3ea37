// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>

#include <ridge/base/interval.hpp>

namespace ridge::stats {

// Tukey's fences (Exploratory Data Analysis, 1977): quartiles widened by 1.5 and by 3 interquartile ranges.
struct fences {
  interval inner{};
  interval outer{};
};

// Observations outside the inner fences: mild inside the outer ones, severe beyond. Outliers are counted and
// marked, never dropped: a slow call happened.
struct outliers {
  std::size_t mild = 0;
  std::size_t severe = 0;
  bool operator==(const outliers&) const = default;
};

// Returns the fences of a sample, which may have any order and must not be empty.
[[nodiscard]] fences tukey_fences(std::span<const double> x);
// Returns how many observations of a sample, which must not be empty, lie outside its fences.
[[nodiscard]] outliers count_outliers(std::span<const double> x);

}  // namespace ridge::stats
