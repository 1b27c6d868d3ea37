// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>

namespace ridge::host {

// Sets every byte and, where the CPU has non-temporal stores, leaves none of the target in the caches: what
// is timed next finds clean caches and pays for no write-back but its own.
void streaming_fill(std::span<std::byte> target, std::byte value);

}  // namespace ridge::host
