// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ridge/model/comparison.hpp>

#include "session.hpp"

namespace ridge::bench {

// Returns the check "optimization": it fails where the code of an arm was compiled without optimization, as
// its caller states it or the file says that holds it, is skipped where that is not known of every arm, and
// else passes. Where RIDGE_UNOPTIMIZED is "judged" it warns in place of failing.
[[nodiscard]] model::check optimization_check(const definition& definition);

}  // namespace ridge::bench
