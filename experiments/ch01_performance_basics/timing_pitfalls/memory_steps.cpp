// SPDX-License-Identifier: Apache-2.0
#include <new>

#include <sys/mman.h>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "steps.hpp"

namespace ridge::experiments::ch01_timing_pitfalls {
namespace {

void flush_line([[maybe_unused]] const std::byte* line) {
#if defined(__x86_64__)
  _mm_clflush(line);
#elif defined(__aarch64__)
  asm volatile("dc civac, %0" ::"r"(line) : "memory");
#endif
}

void wait_for_flushes() {
#if defined(__x86_64__)
  _mm_mfence();
#elif defined(__aarch64__)
  asm volatile("dsb ish" ::: "memory");
#endif
}

std::size_t mapped_bytes(std::size_t elements) { return elements * sizeof(float) + 1; }

}  // namespace

void halve(std::span<const float> source, std::span<float> target) {
  for (std::size_t i = 0; i < source.size(); ++i) target[i] = 0.5F * source[i];
}

void flush_lines(std::span<const std::byte> data) {
  constexpr std::size_t line = 64;
  for (std::size_t i = 0; i < data.size(); i += line) flush_line(data.data() + i);
  if (!data.empty()) flush_line(data.data() + data.size() - 1);
  wait_for_flushes();
}

fresh_pages::fresh_pages(std::size_t elements) : count_(elements), data_(nullptr) {
  void* at =
      ::mmap(nullptr, mapped_bytes(elements), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (at == MAP_FAILED) throw std::bad_alloc();
  data_ = static_cast<float*>(at);
}

fresh_pages::~fresh_pages() { ::munmap(data_, mapped_bytes(count_)); }

}  // namespace ridge::experiments::ch01_timing_pitfalls
