// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace ridge::backends::measure_cupti {

// Waits until every GPU that this process has opened is idle; opens none. Throws failure where a GPU reported
// an error.
void wait_for_used_gpus();

}  // namespace ridge::backends::measure_cupti
