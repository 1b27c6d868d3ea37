// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include <ridge/harness/runner.hpp>

#include "context.hpp"

namespace ridge::app {

// Takes the families of the CUDA backend out where no GPU can be opened, and says so once, with the reason.
// False, with the refusal told, where the user asked for nothing else.
[[nodiscard]] bool without_missing_gpu(const context& in, std::vector<harness::planned_family>& families,
                                       const harness::instruments& with, const harness::run_options& how);

}  // namespace ridge::app
