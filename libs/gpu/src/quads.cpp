// SPDX-License-Identifier: Apache-2.0
#include <ridge/gpu/quads.hpp>

#include <algorithm>
#include <cstdint>

namespace ridge::gpu {
namespace {

constexpr std::size_t quad = 4;

std::size_t before_boundary(const float* address) {
  const auto past = reinterpret_cast<std::uintptr_t>(address) / sizeof(float) % quad;
  return (quad - past) % quad;
}

}  // namespace

quads quads_of(std::size_t n, std::initializer_list<const float*> addresses) {
  const std::size_t head = addresses.size() == 0 ? 0 : before_boundary(*addresses.begin());
  const auto differs = [head](const float* a) { return before_boundary(a) != head; };
  if (head > n || std::ranges::any_of(addresses, differs)) return {.head = n, .count = 0, .n = n};
  return {.head = head, .count = (n - head) / quad, .n = n};
}

}  // namespace ridge::gpu
