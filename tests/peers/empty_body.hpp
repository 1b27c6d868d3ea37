// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ridge/harness/body.hpp>

namespace ridge::peers {

struct nothing {};

// Returns a body that does nothing and is made in another source file than its caller, as an experiment's is.
[[nodiscard]] std::unique_ptr<bound_body> empty_body(nothing& workload);

}  // namespace ridge::peers
