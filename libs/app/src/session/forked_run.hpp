// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <ridge/harness/runner.hpp>

namespace ridge::app {

// The command and the targets with which this program measures one experiment and stores nothing, given its
// id:
// {"run", "ch01.coalescing", "--no-store"}.
using child_words = std::function<std::vector<std::string>(const std::string& id)>;

// As harness::run_all, each family measured by several processes of this program one after another: address
// layout and a random amount of environment differ (Mytkowicz et al., ASPLOS 2009), their results are merged.
// A suite budget and the time of each arm are shared out over the processes. Throws unavailable when this
// program cannot be started again.
[[nodiscard]] model::run run_forked(model::run header, const std::vector<harness::planned_family>& families,
                                    const harness::instruments& instruments,
                                    const harness::run_options& options, const child_words& words,
                                    harness::listener& listener);

}  // namespace ridge::app
