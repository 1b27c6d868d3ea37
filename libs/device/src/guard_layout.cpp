// SPDX-License-Identifier: Apache-2.0
#include <ridge/device/guard_layout.hpp>

#include <algorithm>

namespace ridge::device {
namespace {

std::size_t rounded_up(std::size_t n, std::size_t multiple) {
  return (n + multiple - 1) / multiple * multiple;
}

}  // namespace

std::size_t bytes_with_zones(std::size_t bytes, std::size_t alignment, std::size_t offset) {
  return bytes + 2 * zone_bytes + alignment + offset;
}

guard_layout between_zones(std::uintptr_t start, std::size_t bytes, std::size_t alignment,
                           std::size_t offset) {
  const std::size_t payload = rounded_up(start + zone_bytes, alignment) - start + offset;
  return {payload - zone_bytes, payload, payload + bytes, payload + bytes + zone_bytes};
}

guard_layout between_pages(std::size_t bytes, std::size_t alignment, std::size_t page) {
  const std::size_t held = rounded_up(bytes, alignment), open = rounded_up(held, page);
  const std::size_t payload = page + open - held;
  return {payload - std::min(open - held, zone_bytes), payload, payload + bytes, page + open};
}

}  // namespace ridge::device
