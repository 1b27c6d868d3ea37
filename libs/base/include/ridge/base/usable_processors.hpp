// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace ridge {

// Returns how many processors the calling thread may run on (its affinity), which may be fewer than the
// machine has; 1 at least.
[[nodiscard]] unsigned usable_processors();

}  // namespace ridge
