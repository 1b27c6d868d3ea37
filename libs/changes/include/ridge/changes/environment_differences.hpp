// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include <ridge/changes/series_changes.hpp>
#include <ridge/model/environment.hpp>

namespace ridge::changes {

// Returns the facts that differ between two environments, by name: host, cpu, kernel, compiler, flags, build,
// cores, memory and all others. Left out is what differs between any two runs: the load of the machine.
[[nodiscard]] std::vector<fact_difference> environment_differences(const model::environment& before,
                                                                   const model::environment& after);

}  // namespace ridge::changes
