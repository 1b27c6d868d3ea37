// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdint>

#include <ridge/gpu/bf16x2.cuh>
#include <ridge/gpu/launch.cuh>
#include <ridge/gpu/ptx/bits.cuh>
#include <ridge/gpu/ptx/prefetch.cuh>

#include "inline_ptx.hpp"

namespace ridge::experiments::ch09_inline_ptx {
namespace {

constexpr unsigned threads = 256;
constexpr unsigned loads = 4;  // words of eight codes a thread

// Eight codes to eight bf16 numbers.
struct by_conversions {
  __device__ static uint4 unpack(std::uint32_t word) {
    const auto weight = [word](unsigned i) {
      return static_cast<float>(static_cast<int>(word >> 4 * i & 15U) - 8);
    };
    return make_uint4(gpu::bf16x2(weight(0), weight(1)), gpu::bf16x2(weight(2), weight(3)),
                      gpu::bf16x2(weight(4), weight(5)), gpu::bf16x2(weight(6), weight(7)));
  }
};

#if __CUDA_ARCH__ >= 900
// A code in the low bits of the mantissa of 128 makes 128 + code: 136 less is the weight.
constexpr std::uint32_t codes_of_both = 0x000F000F, both_128 = 0x43004300, both_136 = 0x43084308;

struct by_bits {
  __device__ static std::uint32_t pair(std::uint32_t word, unsigned i) {
    const std::uint32_t apart = (word >> 8 * i & 15U) | (word >> (8 * i + 4) & 15U) << 16;
    return gpu::sub_bf16x2(apart | both_128, both_136);
  }
  __device__ static uint4 unpack(std::uint32_t word) {
    return make_uint4(pair(word, 0), pair(word, 1), pair(word, 2), pair(word, 3));
  }
};

struct by_ptx {
  // Byte I of the codes and of the codes shifted by four bits, in the two halves of a word.
  template <unsigned I>
  __device__ static std::uint32_t pair(std::uint32_t word, std::uint32_t shifted) {
    const std::uint32_t apart = gpu::ptx::prmt<I | (I + 4) << 8>(word, shifted);
    return gpu::sub_bf16x2(gpu::ptx::lop3<gpu::ptx::and_or>(apart, codes_of_both, both_128), both_136);
  }
  __device__ static uint4 unpack(std::uint32_t word) {
    const std::uint32_t shifted = word >> 4;
    return make_uint4(pair<0>(word, shifted), pair<1>(word, shifted), pair<2>(word, shifted),
                      pair<3>(word, shifted));
  }
};
#else
struct by_bits : by_conversions {};
struct by_ptx : by_conversions {};
#endif

enum class access { plain, prefetch, cache_operators };

// Words strided by the block, so that a warp's loads and stores are contiguous.
template <class Unpacking, access Access>
__global__ void __launch_bounds__(threads)
    unpack_words(const std::uint32_t* codes, uint4* weights, std::size_t words) {
  const std::size_t first = blockIdx.x * std::size_t{threads * loads} + threadIdx.x;
  if constexpr (Access == access::prefetch) {
    // What a block some waves further on will read.
    const std::size_t later = first + std::size_t{gridDim.x / 8} * threads * loads;
    if (threadIdx.x % 32 == 0)
#pragma unroll
      for (unsigned u = 0; u < loads; ++u)
        if (later + u * threads < words) gpu::ptx::prefetch_global_l2(codes + later + u * threads);
  }
  std::uint32_t word[loads];
#pragma unroll
  for (unsigned u = 0; u < loads; ++u) {
    const std::size_t i = first + u * threads;
    if (i < words) word[u] = Access == access::cache_operators ? __ldcs(codes + i) : codes[i];
  }
#pragma unroll
  for (unsigned u = 0; u < loads; ++u) {
    const std::size_t i = first + u * threads;
    if (i >= words) continue;
    if constexpr (Access == access::cache_operators)
      __stcs(weights + i, Unpacking::unpack(word[u]));
    else
      weights[i] = Unpacking::unpack(word[u]);
  }
}

// A code at a time, for what is left and for arrays that are not aligned.
__global__ void __launch_bounds__(threads)
    unpack_codes(const std::uint8_t* codes, std::uint16_t* weights, std::size_t first, std::size_t n) {
  const std::size_t i = first + blockIdx.x * std::size_t{threads} + threadIdx.x;
  if (i >= n) return;
  const int code = codes[i / 2] >> (4 * (i % 2)) & 15;
  weights[i] = static_cast<std::uint16_t>(gpu::bf16x2(static_cast<float>(code - 8), 0));
}

template <class Unpacking, access Access = access::plain>
void launch(const workload& w, stream queue) {
  const auto n = w.weights.size();
  const bool aligned = reinterpret_cast<std::uintptr_t>(w.codes.data()) % 4 == 0 &&
                       reinterpret_cast<std::uintptr_t>(w.weights.data()) % 16 == 0;
  const auto words = aligned ? n / 8 : 0;
  if (words > 0)
    gpu::launch(unpack_words<Unpacking, Access>, {gpu::blocks_for(words, threads * loads), threads, 0, queue},
                reinterpret_cast<const std::uint32_t*>(w.codes.data()),
                reinterpret_cast<uint4*>(w.weights.data()), words);
  if (8 * words == n) return;
  gpu::launch(unpack_codes, {gpu::blocks_for(n - 8 * words, threads), threads, 0, queue}, w.codes.data(),
              reinterpret_cast<std::uint16_t*>(w.weights.data()), 8 * words, n);
}

}  // namespace

void launch_conversions(const workload& w, stream queue) { launch<by_conversions>(w, queue); }
void launch_bits(const workload& w, stream queue) { launch<by_bits>(w, queue); }
void launch_ptx(const workload& w, stream queue) { launch<by_ptx>(w, queue); }
void launch_prefetch(const workload& w, stream queue) { launch<by_ptx, access::prefetch>(w, queue); }
void launch_cache_operators(const workload& w, stream queue) {
  launch<by_ptx, access::cache_operators>(w, queue);
}

}  // namespace ridge::experiments::ch09_inline_ptx
