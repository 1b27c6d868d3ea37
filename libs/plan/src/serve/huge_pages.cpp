// SPDX-License-Identifier: Apache-2.0
#include "huge_pages.hpp"

#include <cstdint>

#include <sys/mman.h>
#include <unistd.h>

namespace ridge::plan::serve {

void use_huge_pages(void* begin, std::size_t bytes) {
  constexpr std::size_t many = std::size_t{1} << 22U;  // of fewer, hardly any would be whole
  if (bytes < many) return;
  const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
  const auto address = reinterpret_cast<std::uintptr_t>(begin);
  const auto first = (address + page - 1) / page * page, last = (address + bytes) / page * page;
  static_cast<void>(::madvise(reinterpret_cast<void*>(first), last - first, MADV_HUGEPAGE));
}

}  // namespace ridge::plan::serve
