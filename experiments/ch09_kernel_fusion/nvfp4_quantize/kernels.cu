// SPDX-License-Identifier: Apache-2.0
#include <cstdint>

#include <cuda_fp4.h>
#include <cuda_fp8.h>

#include <ridge/gpu/bf16x2.cuh>
#include <ridge/gpu/e2m1_code.hpp>
#include <ridge/gpu/launch.cuh>

#include "nvfp4_quantize.hpp"

namespace ridge::experiments::ch09_nvfp4_quantize {
namespace {

constexpr unsigned threads = 256;

// A block's scale from its largest magnitude, and the factor that takes its elements to e2m1.
struct block_scale {
  std::uint8_t code;
  float factor;
  __device__ explicit block_scale(float largest)
      : code(__nv_cvt_float_to_fp8(largest * largest_to_scale, __NV_SATFINITE, __NV_E4M3)) {
    const std::uint32_t bits = code;
    const float scale =
        bits < 8 ? static_cast<float>(bits) * 0x1p-9F : __uint_as_float((bits << 20) + (120U << 23));
    factor = bits == 0 ? 0 : steps_of_tensor / scale;
  }
};

__device__ float from_bf16(std::uint16_t bits) { return __uint_as_float(std::uint32_t{bits} << 16); }

// A whole block or what there is of the last one, element by element.
__device__ void quantize_by_one(const std::uint16_t* source, std::uint8_t* codes, std::uint8_t* scales,
                                std::size_t n, std::size_t b) {
  const std::size_t begin = b * block, end = begin + block < n ? begin + block : n;
  float largest = 0;
  for (std::size_t i = begin; i < end; ++i) largest = fmaxf(largest, fabsf(from_bf16(source[i])));
  const block_scale scale(largest);
  scales[b] = scale.code;
  for (std::size_t i = begin; i < end; i += 2) {
    const auto code = [&](std::size_t j) -> unsigned {
      return j < end ? __nv_cvt_float_to_fp4(from_bf16(source[j]) * scale.factor, __NV_E2M1, cudaRoundNearest)
                     : 0;
    };
    codes[i / 2] = static_cast<std::uint8_t>(code(i) | code(i + 1) << 4);
  }
}

__global__ void __launch_bounds__(threads)
    quantize_scalar(const std::uint16_t* source, std::uint8_t* codes, std::uint8_t* scales, std::size_t n) {
  const std::size_t b = blockIdx.x * std::size_t{threads} + threadIdx.x;
  if (b * block < n) quantize_by_one(source, codes, scales, n, b);
}

// How two neighbouring elements, scaled, become a byte of codes.
struct by_conversion {
  __device__ static std::uint32_t byte(std::uint32_t, float low, float high) {
    return __nv_cvt_float2_to_fp4x2(make_float2(low, high), __NV_E2M1, cudaRoundNearest);
  }
};

// The signs of a word of two elements, where the codes' signs are.
__device__ std::uint32_t signs_of(std::uint32_t word) { return (word >> 12 & 8U) | (word >> 24 & 0x80U); }

struct by_comparisons {
  __device__ static std::uint32_t magnitude(float x) {
    return (x > 0.25F) + (x >= 0.75F) + (x > 1.25F) + (x >= 1.75F) + (x > 2.5F) + (x >= 3.5F) + (x > 5.0F);
  }
  __device__ static std::uint32_t byte(std::uint32_t word, float low, float high) {
    return magnitude(fabsf(low)) | magnitude(fabsf(high)) << 4 | signs_of(word);
  }
};

struct by_saturation {
  __device__ static std::uint32_t byte(std::uint32_t word, float low, float high) {
    return (gpu::e2m1_code(fabsf(low)) & 7U) | (gpu::e2m1_code(fabsf(high)) & 7U) << 4 | signs_of(word);
  }
};

template <class Conversion>
__global__ void __launch_bounds__(threads)
    quantize_vectors(const std::uint16_t* source, std::uint8_t* codes, std::uint8_t* scales, std::size_t n) {
  const std::size_t b = blockIdx.x * std::size_t{threads} + threadIdx.x;
  if (b * block >= n) return;
  if (b * block + block > n) return quantize_by_one(source, codes, scales, n, b);
  const auto* from = reinterpret_cast<const uint4*>(source) + 2 * b;
  const uint4 loaded[2] = {__ldcs(from), __ldcs(from + 1)};
  const std::uint32_t words[8] = {loaded[0].x, loaded[0].y, loaded[0].z, loaded[0].w,
                                  loaded[1].x, loaded[1].y, loaded[1].z, loaded[1].w};
  float largest = 0;
#pragma unroll
  for (const auto word : words)
    largest = fmaxf(largest, fmaxf(fabsf(gpu::low_bf16(word)), fabsf(gpu::high_bf16(word))));
  const block_scale scale(largest);
  std::uint32_t packed[2] = {};
#pragma unroll
  for (unsigned i = 0; i < 8; ++i) {
    const float low = gpu::low_bf16(words[i]) * scale.factor, high = gpu::high_bf16(words[i]) * scale.factor;
    packed[i / 4] |= Conversion::byte(words[i], low, high) << (8 * (i % 4));
  }
  __stcs(reinterpret_cast<uint2*>(codes) + b, make_uint2(packed[0], packed[1]));
  scales[b] = scale.code;
}

using kernel = void (*)(const std::uint16_t*, std::uint8_t*, std::uint8_t*, std::size_t);

void launch(kernel quantize, const workload& w, stream queue) {
  const auto n = w.source.size();
  if (n == 0) return;
  gpu::launch(quantize, {gpu::blocks_for(w.scales.size(), threads), threads, 0, queue},
              reinterpret_cast<const std::uint16_t*>(w.source.data()), w.codes.data(),
              reinterpret_cast<std::uint8_t*>(w.scales.data()), n);
}

// Falls back to the scalar kernel where the arrays are not aligned to its accesses.
template <class Conversion>
void launch_with(const workload& w, stream queue) {
  const bool aligned = reinterpret_cast<std::uintptr_t>(w.source.data()) % 16 == 0 &&
                       reinterpret_cast<std::uintptr_t>(w.codes.data()) % 8 == 0;
  launch(aligned ? quantize_vectors<Conversion> : quantize_scalar, w, queue);
}

}  // namespace

void launch_scalar(const workload& w, stream queue) { launch(quantize_scalar, w, queue); }
void launch_vectors(const workload& w, stream queue) { launch_with<by_conversion>(w, queue); }
void launch_comparisons(const workload& w, stream queue) { launch_with<by_comparisons>(w, queue); }
void launch_saturating(const workload& w, stream queue) { launch_with<by_saturation>(w, queue); }

}  // namespace ridge::experiments::ch09_nvfp4_quantize
