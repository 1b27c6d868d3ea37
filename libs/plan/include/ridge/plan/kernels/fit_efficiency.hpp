// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <vector>

#include <ridge/plan/accelerator.hpp>
#include <ridge/plan/kernels/efficiency.hpp>
#include <ridge/plan/kernels/kernel_times.hpp>

namespace ridge::plan::kernels {

// One measurement and how to predict it.
struct timed_kernel {
  std::function<double(const kernel_times&)> predict{};  // seconds
  double seconds = 0;
};

// |predicted / measured - 1| over some measurements.
struct fit_error {
  double median = 0, p90 = 0;
};

// Fits the coefficients of one kernel and format to measurements on a GPU: the least mean of
// |ln(predicted / measured)|, each capped at 1, by simplex search from four starts. `entry` names GPU, kernel
// and format. At most 1,500 measurements are used, evenly chosen. Numbers that the time of the kernel does
// not depend on are removed, the others rounded to three digits.
[[nodiscard]] efficiency fit_efficiency(const accelerator& gpu, const efficiency_entry& entry,
                                        const std::vector<timed_kernel>& measured);

// The error of an entry's coefficients on measurements; zeros without any.
[[nodiscard]] fit_error error_of(const accelerator& gpu, const efficiency_entry& entry,
                                 const std::vector<timed_kernel>& measured);

// Rounds to three significant digits, which is what a fit justifies.
[[nodiscard]] double three_digits(double x);

}  // namespace ridge::plan::kernels
