// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <ridge/harness/runner.hpp>

namespace ridge::app {

// Returns the command and targets with which this program measures one experiment, given by its id, and
// stores nothing: {"run", "ch01.coalescing", "--no-store"}.
using child_words = std::function<std::vector<std::string>(const std::string& id)>;

// Measures as harness::run_all does, but each family in several processes of this program, one after another:
// their address layouts and the sizes of their environments differ (Mytkowicz et al., ASPLOS 2009), and their
// results are merged. The processes share the suite budget and the time of each arm. Throws unavailable when
// this program cannot be started again.
[[nodiscard]] model::run run_forked(model::run header, const std::vector<harness::planned_family>& families,
                                    const harness::instruments& instruments,
                                    const harness::run_options& options, const child_words& words,
                                    harness::listener& listener);

}  // namespace ridge::app
