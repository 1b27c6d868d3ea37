// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

namespace ridge::experiments::ch01_coalescing {

// Copies by non-temporal vector stores; `to` is as long as `from`. Visible to other threads on return.
void streaming_copy(std::span<const float> from, std::span<float> to);

}  // namespace ridge::experiments::ch01_coalescing
