// SPDX-License-Identifier: Apache-2.0
#include "events/page_allocator.hpp"

#include <sys/mman.h>

#include <cstdint>
#include <new>

namespace ridge::trace {
namespace {

// A row that nearly fills a large page is worth one.
bool is_small(std::size_t bytes) { return bytes < large_page - 4096; }

std::size_t whole_pages(std::size_t bytes) { return (bytes + large_page - 1) / large_page * large_page; }

void unmap(char* begin, char* end) {
  if (begin != end) static_cast<void>(::munmap(begin, static_cast<std::size_t>(end - begin)));
}

}  // namespace

void* take_pages(std::size_t bytes) {
  if (is_small(bytes)) return ::operator new(bytes);
  const auto size = whole_pages(bytes);
  auto* const mapped =
      ::mmap(nullptr, size + large_page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapped == MAP_FAILED) throw std::bad_alloc();
  auto* const begin = static_cast<char*>(mapped);
  auto* const aligned =
      begin + (large_page - reinterpret_cast<std::uintptr_t>(begin) % large_page) % large_page;
  unmap(begin, aligned);
  unmap(aligned + size, begin + size + large_page);
  static_cast<void>(::madvise(aligned, size, MADV_HUGEPAGE));
  return aligned;
}

void give_pages_back(void* memory, std::size_t bytes) noexcept {
  if (is_small(bytes))
    ::operator delete(memory);
  else
    static_cast<void>(::munmap(memory, whole_pages(bytes)));
}

}  // namespace ridge::trace
