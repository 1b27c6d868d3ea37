// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include <ridge/trace/hta_semantics.hpp>

namespace ridge::trace {

[[nodiscard]] double sample_deviation(std::span<const double> x);  // NaN for fewer than two values

// Returns what pandas' describe() returns for a column.
[[nodiscard]] hta_distribution describe(std::vector<double> x);

}  // namespace ridge::trace
