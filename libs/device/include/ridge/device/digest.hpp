// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace ridge::device {

// 64-bit hash of the bytes in order, the same on every instruction set; not secure against an adversary.
//
// Chunks of 64 KiB are hashed alone, so that a device may hash them in parallel: 32 lanes of 64 bits each
// take every 32nd word, a step being x = rotate(32, (x ^ word) * 0x9E3779B1), a bijection; lanes and chunks
// are added up after mixing each with its number, the length last. The tail counts as filled up with zeros.
[[nodiscard]] std::uint64_t digest(std::span<const std::byte> source);

}  // namespace ridge::device
