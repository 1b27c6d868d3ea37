// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include <ridge/harness/runner.hpp>

namespace ridge::app {

// As harness::run_all, each family measured by several processes of this program one after another: address
// layout and a random amount of environment differ (Mytkowicz et al., ASPLOS 2009), their results are merged.
// A suite budget and the time of each arm are shared out over the processes. Throws unavailable when this
// program cannot be started again.
[[nodiscard]] model::run run_forked(model::run header, const std::vector<harness::planned_family>& families,
                                    const harness::instruments& with, const harness::run_options& options,
                                    harness::listener& to);

}  // namespace ridge::app
