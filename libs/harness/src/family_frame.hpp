// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include <ridge/harness/runner.hpp>

namespace ridge::harness {

// The family before anything is run: work, one measurement per variant of the backend with what is known of
// it, and why a variant is skipped on this device. `variants` receives the index in the definition of each
// measurement.
[[nodiscard]] model::family frame_of(const planned_family& what, const instruments& with,
                                     const run_options& options, std::vector<std::size_t>& variants);

}  // namespace ridge::harness
