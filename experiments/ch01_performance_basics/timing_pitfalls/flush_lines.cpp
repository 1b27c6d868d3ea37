// SPDX-License-Identifier: Apache-2.0
#include "flush_lines.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace ridge::experiments::ch01_timing_pitfalls {
namespace {

void flush_line([[maybe_unused]] const std::byte* at) {
#if defined(__x86_64__)
  _mm_clflush(at);
#elif defined(__aarch64__)
  asm volatile("dc civac, %0" ::"r"(at) : "memory");
#endif
}

void wait_for_flushes() {
#if defined(__x86_64__)
  _mm_mfence();
#elif defined(__aarch64__)
  asm volatile("dsb ish" ::: "memory");
#endif
}

}  // namespace

void flush_lines(std::span<const std::byte> data) {
  constexpr std::size_t line = 64;
  for (std::size_t i = 0; i < data.size(); i += line) flush_line(data.data() + i);
  if (!data.empty()) flush_line(data.data() + data.size() - 1);
  wait_for_flushes();
}

}  // namespace ridge::experiments::ch01_timing_pitfalls
