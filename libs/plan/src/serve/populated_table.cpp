// SPDX-License-Identifier: Apache-2.0
#include "populated_table.hpp"

#include <cstdint>

#include <sys/mman.h>
#include <unistd.h>

namespace ridge::plan::serve {

// Huge pages would be fewer faults still, but where memory is in pieces the kernel moves pages to make them:
// the same run then takes 35 to 350 ms in the kernel, with populated small ones 48 to 71 (2026-11-26).
void populate_pages(void* begin, std::size_t bytes) {
#ifdef MADV_POPULATE_WRITE  // Linux 5.14
  constexpr std::size_t many = std::size_t{1} << 20U;
  if (bytes < many) return;
  const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
  const auto address = reinterpret_cast<std::uintptr_t>(begin);
  const auto first = (address + page - 1) / page * page, last = (address + bytes) / page * page;
  static_cast<void>(::madvise(reinterpret_cast<void*>(first), last - first, MADV_POPULATE_WRITE));
#else
  static_cast<void>(begin), static_cast<void>(bytes);
#endif
}

}  // namespace ridge::plan::serve
