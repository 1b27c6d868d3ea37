// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

namespace ridge::backends::probe_cuda {

// Calls `look` while GPU `index` copies from pinned host memory and writes its own memory, some tens of
// milliseconds after both began; then waits for them. Throws what CUDA refuses (no room, a GPU that nobody
// may use).
void while_busy(int index, const std::function<void()>& look);

}  // namespace ridge::backends::probe_cuda
