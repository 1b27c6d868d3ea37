// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include <ridge/harness/runner.hpp>

namespace ridge::harness {

// The family before anything runs: the work, one measurement per variant of the backend with the facts known
// beforehand, and why a variant is skipped on this device. `variants` receives the index in the definition of
// each measurement.
[[nodiscard]] model::family frame_of(const planned_family& family, const instruments& equipment,
                                     const run_options& options, std::vector<std::size_t>& variants);

}  // namespace ridge::harness
