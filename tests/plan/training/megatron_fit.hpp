// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "run.hpp"

namespace ridge::plan::train {

// Coefficients of A100 fitted to these runs.
[[nodiscard]] training_coefficients fit_megatron(std::span<const measured_run> runs);

}  // namespace ridge::plan::train
