// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>

#include <ridge/plan/train/training_coefficients.hpp>

namespace ridge::plan::train {

// The text of libs/plan/data/training.json for these coefficients.
[[nodiscard]] std::string coefficient_file(std::span<const training_coefficients> all);

}  // namespace ridge::plan::train
