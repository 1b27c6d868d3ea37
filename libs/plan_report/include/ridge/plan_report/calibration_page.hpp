// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ridge/plan/kernels/calibration.hpp>
#include <ridge/report/document.hpp>

namespace ridge::plan_report {

// What was fitted, and errors before and after on the fitted and the held-out requests.
[[nodiscard]] report::document calibration_page(const plan::kernels::calibration_profile& p);

}  // namespace ridge::plan_report
