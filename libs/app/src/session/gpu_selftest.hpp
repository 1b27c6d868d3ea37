// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <ridge/app/context.hpp>
#include <ridge/selftest/selftest.hpp>

namespace ridge::app {

// Returns the rows of `ridge selftest` that need a GPU: kernels of the catalogue compared with themselves,
// one bound by memory, one by arithmetic, one at the power limit.
[[nodiscard]] std::vector<std::string> gpu_selftest_names();

// Measures the rows named in `wanted`, or all when it is empty, one after another. A row is skipped, with the
// reason, where there is no GPU or the program lacks an experiment. `scale` is the share of the full number
// of trials.
void run_gpu_selftest(const context& program, const std::vector<std::string>& wanted, double scale,
                      const std::function<void(const selftest::row&)>& report);

}  // namespace ridge::app
