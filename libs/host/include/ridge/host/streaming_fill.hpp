// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>

namespace ridge::host {

// Sets every byte of `target` to `value` and, where the CPU has non-temporal stores, leaves none of the
// target in the caches: what is timed next finds clean caches and pays only for its own write-backs.
void streaming_fill(std::span<std::byte> target, std::byte value);

}  // namespace ridge::host
