// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ridge/model/environment.hpp>

namespace ridge::bench {

// Returns the machine that this process runs on, and the compiler of this library. The flags of the code that
// is compared are not known here.
[[nodiscard]] model::environment environment_here();

}  // namespace ridge::bench
