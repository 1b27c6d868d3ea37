// SPDX-License-Identifier: Apache-2.0
// Compiled twice, for two sets of options; RIDGE_STREAM_LOOPS names the function that hands the loops out.
#include <cstring>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "stream_loops.hpp"

namespace ridge::peers {
namespace {

constexpr double scalar = 3.0;

double read(double*, const double* b, const double*, std::size_t n) {
  double sum = 0;
#pragma omp simd reduction(+ : sum)
  for (std::size_t i = 0; i < n; ++i) sum += b[i];
  return sum;
}

double copy(double* __restrict a, const double* __restrict b, const double*, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) a[i] = b[i];
  return 0;
}

double library_copy(double* a, const double* b, const double*, std::size_t n) {
  std::memcpy(a, b, n * sizeof(double));
  return 0;
}

double triad(double* __restrict a, const double* __restrict b, const double* __restrict c, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) a[i] = b[i] + scalar * c[i];
  return 0;
}

#if defined(__x86_64__)
#if defined(__AVX512F__)
using vector = __m512d;
vector load(const double* p) { return _mm512_load_pd(p); }
void stream(double* p, vector x) { _mm512_stream_pd(p, x); }
#elif defined(__AVX__)
using vector = __m256d;
vector load(const double* p) { return _mm256_load_pd(p); }
void stream(double* p, vector x) { _mm256_stream_pd(p, x); }
#else
using vector = __m128d;
vector load(const double* p) { return _mm_load_pd(p); }
void stream(double* p, vector x) { _mm_stream_pd(p, x); }
#endif
constexpr std::size_t lanes = sizeof(vector) / sizeof(double);

double copy_past_caches(double* a, const double* b, const double*, std::size_t n) {
  for (std::size_t i = 0; i < n; i += lanes) stream(a + i, load(b + i));
  _mm_sfence();
  return 0;
}

double triad_past_caches(double* a, const double* b, const double* c, std::size_t n) {
  for (std::size_t i = 0; i < n; i += lanes) stream(a + i, load(b + i) + scalar * load(c + i));
  _mm_sfence();
  return 0;
}
#endif

constexpr stream_loop loops[] = {
    {"read", "cpu.read", 1, read},
    {"copy", "cpu.copy", 2, copy},
    {"memcpy", "cpu.copy", 2, library_copy},
    {"triad", "cpu.triad", 3, triad},
#if defined(__x86_64__)
    {"copy, non-temporal", "cpu.copy", 2, copy_past_caches},
    {"triad, non-temporal", "cpu.triad", 3, triad_past_caches},
#endif
};

}  // namespace

std::span<const stream_loop> RIDGE_STREAM_LOOPS() { return loops; }

}  // namespace ridge::peers
