// SPDX-License-Identifier: Apache-2.0
#include <ridge/trace/large_heap.hpp>

#include <malloc.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>

#include <ridge/base/sanitized.hpp>

#include "events/page_allocator.hpp"

namespace ridge::trace {

#ifdef __GLIBC__

namespace {

constexpr int mebibyte = 1 << 20;
// Address space only: pages are taken when they are written. What does not fit comes in small pages, as
// before.
constexpr int reserved = 2000 * mebibyte, more_later = 64 * mebibyte;

std::uintptr_t rounded_up(std::uintptr_t address) {
  return (address + large_page - 1) / large_page * large_page;
}

std::uintptr_t end_of_heap() { return reinterpret_cast<std::uintptr_t>(::sbrk(0)); }

// One heap for all threads, in one piece, of which nothing is given back.
void reserve_heap() {
  ::mallopt(M_ARENA_MAX, 1);
  ::mallopt(M_MMAP_MAX, 0);
  ::mallopt(M_TRIM_THRESHOLD, -1);
  const auto begin = rounded_up(end_of_heap());
  ::mallopt(M_TOP_PAD, reserved);
  void* volatile grown =
      std::malloc(4 * mebibyte);  // volatile: a pair of calls without use would be left out
  std::free(grown);
  ::mallopt(M_TOP_PAD, more_later);
  const auto end = end_of_heap() / large_page * large_page;
  if (end > begin) static_cast<void>(::madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE));
}

}  // namespace

void grow_heap_in_large_pages() {
  static const bool once = [] {
    if (!sanitized) reserve_heap();
    return true;
  }();
  static_cast<void>(once);
}

#else

void grow_heap_in_large_pages() {}

#endif

}  // namespace ridge::trace
