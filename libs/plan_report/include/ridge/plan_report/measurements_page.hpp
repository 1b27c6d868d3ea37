// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <ridge/plan/accelerator.hpp>
#include <ridge/plan/kernels/kernel_measurements.hpp>
#include <ridge/report/document.hpp>

namespace ridge::plan_report {

// Measured kernels: rows, fitted shares and the errors of held-out rows by kernel and format, beside those of
// the coefficients that ship; launches; what was not measured, and why. `calls` were to be measured.
[[nodiscard]] report::document measurements_page(const plan::kernels::kernel_measurements& m,
                                                 const plan::accelerator& gpu, std::size_t calls);

}  // namespace ridge::plan_report
