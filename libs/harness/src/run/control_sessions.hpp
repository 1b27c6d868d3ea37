// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string_view>

#include <ridge/harness/gpu_families.hpp>

namespace ridge::harness {

// Sessions of two arms of one variant, each with workspaces of its own, on the device of `equipment`; the
// variant is verified first.
[[nodiscard]] control_trials control_of(const planned_family& family, std::string_view variant,
                                        const instruments& equipment, const run_options& options,
                                        double seconds_each, std::size_t trials);

}  // namespace ridge::harness
