// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ridge/model/run.hpp>

namespace ridge::report {

// Returns the comparison with the baseline, by the primary metric, that stands for a family: one that was
// judged before any other, a valid one before one that is not, and of these the greatest ratio. Null where
// nothing was compared with the baseline.
[[nodiscard]] const model::comparison* best_of(const model::family& family);

}  // namespace ridge::report
