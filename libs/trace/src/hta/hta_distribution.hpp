// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include <ridge/trace/hta_semantics.hpp>

namespace ridge::trace {

[[nodiscard]] double sample_deviation(std::span<const double> x);  // NaN of fewer than two

// As pandas describes a column.
[[nodiscard]] hta_distribution describe(std::vector<double> x);

}  // namespace ridge::trace
