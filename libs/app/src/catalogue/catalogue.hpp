// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include <ridge/harness/experiment.hpp>
#include <ridge/model/catalogue.hpp>

namespace ridge::app {

// Returns the experiments as people and programs read them, one per id: experiments that `over` made for
// several types become one, with the values of their axes united.
[[nodiscard]] std::vector<model::experiment_description> describe(const std::vector<experiment>& experiments);

// Fills in why variants would be skipped on this machine. It opens vendor libraries, so `list` does not call
// it.
void mark_unavailable(std::vector<model::experiment_description>& described,
                      const std::vector<experiment>& experiments);

}  // namespace ridge::app
