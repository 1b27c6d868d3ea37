// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ridge/device/stream.hpp>
#include <ridge/harness/memory.hpp>

namespace ridge::experiments::ch01_arithmetic_intensity {

// The whole chain by CUB's transformation, enqueued; one pass over device memory, `to` as long as `from`.
void transform_by_cub(input<float> from, output<float> to, stream queue);

}  // namespace ridge::experiments::ch01_arithmetic_intensity
