// SPDX-License-Identifier: Apache-2.0
// The harness asks the program that it is part of how often it allocated; a unit of its own, so that no
// compiler sees through new and delete.
#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>

namespace {

std::atomic<std::uint64_t> allocations{0};

}  // namespace

extern "C" std::uint64_t ridge_allocations_so_far();
extern "C" std::uint64_t ridge_allocations_so_far() { return allocations.load(); }

void* operator new(std::size_t bytes) {
  ++allocations;
  if (void* at = std::malloc(std::max<std::size_t>(bytes, 1))) return at;
  throw std::bad_alloc();
}
void operator delete(void* at) noexcept { std::free(at); }
void operator delete(void* at, std::size_t) noexcept { std::free(at); }
