// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace ridge::device {

inline constexpr std::size_t zone_bytes = 128;

// Where a payload and its patterned zones lie: offsets from the start of the memory that holds them.
struct guard_layout {
  std::size_t before = 0;   // the front zone begins, ...
  std::size_t payload = 0;  // ... ends, and the payload begins
  std::size_t after = 0;    // the payload ends and the back zone begins
  std::size_t end = 0;      // the back zone ends
};

// Room for between_zones, wherever the memory starts.
[[nodiscard]] std::size_t bytes_with_zones(std::size_t bytes, std::size_t alignment, std::size_t offset = 0);

// Zones of zone_bytes on both sides of a payload that lies `offset` after a multiple of `alignment`, in
// memory that starts at this address.
[[nodiscard]] guard_layout between_zones(std::uintptr_t start, std::size_t bytes, std::size_t alignment,
                                         std::size_t offset = 0);

// In address space whose first `page` bytes, and all from `end` on, are never mapped: the payload ends at
// `end`, or up to alignment - 1 bytes of back zone before it where its size is no multiple of the alignment.
// The front zone is what is left of the first mapped page, at most zone_bytes.
[[nodiscard]] guard_layout between_pages(std::size_t bytes, std::size_t alignment, std::size_t page);

}  // namespace ridge::device
