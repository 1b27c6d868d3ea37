// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ridge/host/topology.hpp>
#include <ridge/model/environment.hpp>

namespace ridge::app {

// Returns the machine, toolchain and settings of this process, as far as they can be read.
[[nodiscard]] model::environment read_environment();

// Returns the name of a machine, "intel-xeon-x2": vendor, short model and number of physical cores, then its
// GPUs; lower case (decision 0024).
[[nodiscard]] std::string machine_name(const host::topology& topology);

}  // namespace ridge::app
