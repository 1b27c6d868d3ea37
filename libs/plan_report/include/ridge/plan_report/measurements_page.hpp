// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include <ridge/model/kernel_call.hpp>
#include <ridge/plan/accelerator.hpp>
#include <ridge/plan/kernels/kernel_measurements.hpp>
#include <ridge/report/document.hpp>

namespace ridge::plan_report {

// Measured kernels: rows, fitted shares and the errors of held-out rows by kernel and format, beside those of
// the coefficients that ship; launches; what was not measured, and why. Counts how
// many of the calls that were asked for the file holds, and how many it keeps in all.
[[nodiscard]] report::document measurements_page(const plan::kernels::kernel_measurements& m,
                                                 const plan::accelerator& gpu,
                                                 std::span<const model::kernel_call> asked);

}  // namespace ridge::plan_report
