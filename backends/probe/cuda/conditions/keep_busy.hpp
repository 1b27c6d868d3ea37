// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

namespace ridge::backends::probe_cuda {

// Calls `look` while GPU `index` copies from pinned host memory and writes its own memory, some tens of
// milliseconds after both began; then waits until both have ended. Throws as gpu::check does (no free memory,
// a GPU that is prohibited).
void while_busy(int index, const std::function<void()>& look);

}  // namespace ridge::backends::probe_cuda
