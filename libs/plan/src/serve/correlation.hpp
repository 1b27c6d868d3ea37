// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

namespace ridge::plan::serve {

// Pearson's correlation of two samples of one length; 0 where either is empty or does not vary.
[[nodiscard]] double correlation(std::span<const double> x, std::span<const double> y);

}  // namespace ridge::plan::serve
