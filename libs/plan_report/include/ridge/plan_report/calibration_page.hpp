// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ridge/plan/kernels/calibration.hpp>
#include <ridge/report/document.hpp>

namespace ridge::plan_report {

// The fitted parameters, and the errors before and after the fit on fitted and held-out requests.
[[nodiscard]] report::document calibration_page(const plan::kernels::calibration_profile& p);

}  // namespace ridge::plan_report
