// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "run.hpp"

namespace ridge::plan::train {

// Coefficients of A100 fitted to these runs: the shares of the 16-bit peak that products and attention reach,
// and of the bandwidth. The half size is that of H100's measured 16-bit products: runs cannot tell it from
// the first share. What tensor ranks hide of their exchange is not fitted either:
// megatron_2022_backward_overlap.
[[nodiscard]] training_coefficients fit_a100(std::span<const measured_run> runs);

}  // namespace ridge::plan::train
