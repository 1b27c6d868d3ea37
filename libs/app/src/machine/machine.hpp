// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ridge/host/topology.hpp>
#include <ridge/model/environment.hpp>

namespace ridge::app {

// The machine, toolchain and settings of this process, as far as they can be read.
[[nodiscard]] model::environment read_environment();

// "intel-xeon-x2": vendor, model in short, physical cores; lower case (decision 0024).
[[nodiscard]] std::string machine_name(const host::topology& topology);

}  // namespace ridge::app
