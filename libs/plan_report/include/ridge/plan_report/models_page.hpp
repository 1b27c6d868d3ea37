// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include <ridge/plan/model_shape.hpp>
#include <ridge/report/document.hpp>

namespace ridge::plan_report {

// All models: parameters, active parameters, cache per token, positions.
[[nodiscard]] report::document models_page(std::span<const plan::model_shape> all);

// One model: layers by kind, parameters by class, and assumptions made.
[[nodiscard]] report::document model_page(const plan::model_shape& m);

}  // namespace ridge::plan_report
