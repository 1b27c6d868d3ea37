// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace ridge::backends::measure_cupti {

// Waits until every GPU that this process has opened is idle, without opening others. Throws failure where a
// kernel failed.
void wait_for_used_gpus();

}  // namespace ridge::backends::measure_cupti
