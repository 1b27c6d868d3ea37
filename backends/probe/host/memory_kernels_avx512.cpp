// SPDX-License-Identifier: Apache-2.0
#if defined(__x86_64__)

#include <immintrin.h>

#include "memory_kernels.hpp"

namespace ridge::backends::probe_host {
namespace {

constexpr std::size_t lanes = 16;
constexpr std::size_t step = 4 * lanes;

[[gnu::target("avx512f")]] void triad(float* a, const float* b, const float* c, std::size_t elements) {
  const auto scale = _mm512_set1_ps(3.0f);
  for (std::size_t i = 0; i < elements; i += step) {
    for (std::size_t j = i; j < i + step; j += lanes) {
      _mm512_store_ps(a + j, _mm512_fmadd_ps(_mm512_load_ps(c + j), scale, _mm512_load_ps(b + j)));
    }
  }
}

[[gnu::target("avx512f")]] void triad_streaming(float* a, const float* b, const float* c,
                                                std::size_t elements) {
  const auto scale = _mm512_set1_ps(3.0f);
  for (std::size_t i = 0; i < elements; i += step) {
    for (std::size_t j = i; j < i + step; j += lanes) {
      _mm512_stream_ps(a + j, _mm512_fmadd_ps(_mm512_load_ps(c + j), scale, _mm512_load_ps(b + j)));
    }
  }
  _mm_sfence();
}

[[gnu::target("avx512f")]] void copy(float* a, const float* b, const float*, std::size_t elements) {
  for (std::size_t i = 0; i < elements; i += step) {
    for (std::size_t j = i; j < i + step; j += lanes) _mm512_store_ps(a + j, _mm512_load_ps(b + j));
  }
}

[[gnu::target("avx512f")]] void copy_streaming(float* a, const float* b, const float*, std::size_t elements) {
  for (std::size_t i = 0; i < elements; i += step) {
    for (std::size_t j = i; j < i + step; j += lanes) _mm512_stream_ps(a + j, _mm512_load_ps(b + j));
  }
  _mm_sfence();
}

// Four streams, because the prefetcher of one does not fill the memory's pipeline.
[[gnu::target("avx512f")]] void read(float* a, const float* b, const float*, std::size_t elements) {
  auto s0 = _mm512_setzero_ps(), s1 = s0, s2 = s0, s3 = s0;
  const auto quarter = elements / 4;
  for (std::size_t i = 0; i < quarter; i += lanes) {
    s0 = _mm512_add_ps(s0, _mm512_load_ps(b + i));
    s1 = _mm512_add_ps(s1, _mm512_load_ps(b + quarter + i));
    s2 = _mm512_add_ps(s2, _mm512_load_ps(b + 2 * quarter + i));
    s3 = _mm512_add_ps(s3, _mm512_load_ps(b + 3 * quarter + i));
  }
  _mm512_store_ps(a, _mm512_add_ps(_mm512_add_ps(s0, s1), _mm512_add_ps(s2, s3)));
}

}  // namespace

constinit const memory_kernels avx512_memory_kernels{"avx512", "avx512f",      triad, triad_streaming,
                                                     copy,     copy_streaming, read};

}  // namespace ridge::backends::probe_host

#endif
