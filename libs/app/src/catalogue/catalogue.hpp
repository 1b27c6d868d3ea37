// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include <ridge/harness/experiment.hpp>
#include <ridge/model/catalogue.hpp>

namespace ridge::app {

// The experiments as people and programs read them, one a id: experiments that `over` made for several types
// are one, their axes' values united.
[[nodiscard]] std::vector<model::experiment_description> describe(const std::vector<experiment>& experiments);

// Fills in why variants would be skipped on this machine. Opens vendor libraries: not for `list`.
void mark_unavailable(std::vector<model::experiment_description>& described,
                      const std::vector<experiment>& experiments);

}  // namespace ridge::app
