// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include <ridge/plan/model_shape.hpp>
#include <ridge/report/document.hpp>

namespace ridge::plan_report {

// Every model: parameters, active ones, cache a token, positions.
[[nodiscard]] report::document models_page(std::span<const plan::model_shape> all);

// One model: layers by kind, parameters by class, what was assumed. `catalogue_name`: of its entry, or empty.
[[nodiscard]] report::document model_page(const plan::model_shape& m);

}  // namespace ridge::plan_report
