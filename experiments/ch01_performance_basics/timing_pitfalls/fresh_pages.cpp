// SPDX-License-Identifier: Apache-2.0
#include "fresh_pages.hpp"

#include <new>

#include <sys/mman.h>

namespace ridge::experiments::ch01_timing_pitfalls {
namespace {

std::size_t mapped_bytes(std::size_t elements) { return elements * sizeof(float) + 1; }

}  // namespace

fresh_pages::fresh_pages(std::size_t elements) : count_(elements), data_(nullptr) {
  void* at =
      ::mmap(nullptr, mapped_bytes(elements), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (at == MAP_FAILED) throw std::bad_alloc();
  data_ = static_cast<float*>(at);
}

fresh_pages::~fresh_pages() { ::munmap(data_, mapped_bytes(count_)); }

}  // namespace ridge::experiments::ch01_timing_pitfalls
