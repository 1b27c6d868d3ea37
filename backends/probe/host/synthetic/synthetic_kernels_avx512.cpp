// SPDX-License-Identifier: Apache-2.0
#include "synthetic/synthetic_kernels.hpp"

#if defined(__x86_64__)
#include <array>

#include <immintrin.h>

namespace ridge::backends::probe_host {
namespace {

constexpr std::size_t lanes = 16;
// Enough chains for a latency of four cycles on two ports, and few enough that their values, the sums and
// both constants fit the registers.
constexpr std::size_t most_chains = 12;

// How far ahead a stream from memory is prefetched: far enough that the latency of memory is hidden behind
// the multiply-adds of the elements before, beyond the reach of the core alone; near enough to stay mostly in
// one small page, where the hardware prefetches as well (2 KiB and more lost a tenth to a fifth).
constexpr std::size_t elements_ahead = 320, line = 16;

template <from Where>
void fetch(const float* x) {
  if constexpr (Where == from::memory) _mm_prefetch(x + elements_ahead, _MM_HINT_T0);
}

template <int Count, from Where>
[[gnu::target("avx512f")]] void multiply_add(const float* x, std::size_t elements, std::size_t rounds,
                                             synthetic_result& result) {
  constexpr std::size_t chains = Where == from::memory ? 8 : most_chains,
                        sums = chains;  // as many lines as are combined
  const auto factor = _mm512_set1_ps(synthetic_factor), addend = _mm512_set1_ps(synthetic_addend);
  __m512 y[chains], sum[sums];
#pragma GCC unroll 16
  for (auto& s : sum) s = _mm512_setzero_ps();
  const std::size_t all = elements * rounds;
  for (std::size_t done = 0, i = 0; done < all;
       done += chains * lanes, i = i + chains * lanes == elements ? 0 : i + chains * lanes) {
#pragma GCC unroll 16
    for (std::size_t j = 0; j < chains * lanes; j += line) fetch<Where>(x + i + j);
#pragma GCC unroll 16
    for (std::size_t j = 0; j < chains; ++j) y[j] = _mm512_load_ps(x + i + j * lanes);
#pragma GCC unroll 4
    for (int step = 1; step < Count; ++step) {
#pragma GCC unroll 16
      for (auto& one : y) one = _mm512_fmadd_ps(one, factor, addend);
    }
#pragma GCC unroll 16
    for (std::size_t j = 0; j < chains; ++j) sum[j % sums] = _mm512_fmadd_ps(y[j], factor, sum[j % sums]);
  }
#pragma GCC unroll 16
  for (std::size_t j = 0; j < sums; ++j) _mm512_store_ps(result.lanes.data() + j * lanes, sum[j]);
}

template <from Where>
[[gnu::target("avx512f")]] void combine(const float* x, std::size_t elements, std::size_t rounds,
                                        synthetic_result& result) {
  __m512i bits[8];
#pragma GCC unroll 8
  for (auto& b : bits) b = _mm512_setzero_si512();
  const std::size_t all = elements * rounds;
  for (std::size_t done = 0, i = 0; done < all;
       done += 8 * lanes, i = i + 8 * lanes == elements ? 0 : i + 8 * lanes) {
#pragma GCC unroll 16
    for (std::size_t j = 0; j < 8 * lanes; j += line) fetch<Where>(x + i + j);
#pragma GCC unroll 8
    for (std::size_t j = 0; j < 8; ++j)
      bits[j] =
          _mm512_xor_si512(bits[j], _mm512_load_si512(reinterpret_cast<const __m512i*>(x + i + j * lanes)));
  }
#pragma GCC unroll 4
  for (std::size_t width = 4; width > 0; width /= 2) {
    for (std::size_t j = 0; j < width; ++j) bits[j] = _mm512_xor_si512(bits[j], bits[j + width]);
  }
  _mm512_store_si512(reinterpret_cast<__m512i*>(result.lanes.data()), bits[0]);
}

template <from Where>
constexpr std::array<synthetic_kernel, 10> kernels{{{0, combine<Where>},
                                                    {1, multiply_add<1, Where>},
                                                    {2, multiply_add<2, Where>},
                                                    {4, multiply_add<4, Where>},
                                                    {8, multiply_add<8, Where>},
                                                    {16, multiply_add<16, Where>},
                                                    {32, multiply_add<32, Where>},
                                                    {64, multiply_add<64, Where>},
                                                    {128, multiply_add<128, Where>},
                                                    {256, multiply_add<256, Where>}}};

}  // namespace

std::span<const synthetic_kernel> synthetic_kernels_avx512(from start) {
  if (start == from::memory) return kernels<from::memory>;
  return kernels<from::cache>;
}

}  // namespace ridge::backends::probe_host

#else

namespace ridge::backends::probe_host {
std::span<const synthetic_kernel> synthetic_kernels_avx512(from) { return {}; }
}  // namespace ridge::backends::probe_host

#endif
