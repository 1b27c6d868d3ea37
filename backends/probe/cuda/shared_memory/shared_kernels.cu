// SPDX-License-Identifier: Apache-2.0
#include "shared_memory/shared_kernels.hpp"

#include <cstddef>

#include <ridge/gpu/check.hpp>
#include <ridge/gpu/launch.cuh>
#include <ridge/gpu/ptx/shared_address.cuh>

#include "timing/span_clock.cuh"

namespace ridge::backends::probe_cuda {
namespace {

constexpr unsigned threads = on_chip_threads;
constexpr unsigned at_once = 8;
// The reads of words a stride apart: each load of a round is one row of banks and one bank beyond its
// predecessor.
constexpr unsigned words_apart = 33, most_moved = 31;
constexpr unsigned banked_words = 31 * most_stride + (loads_per_round - 1) * words_apart + most_moved + 1;

struct four_words {
  unsigned x, y, z, w;
};

__device__ four_words load_shared(unsigned address) {
  four_words v;
  asm volatile("ld.shared.v4.b32 {%0, %1, %2, %3}, [%4];"
               : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
               : "r"(address));
  return v;
}

__device__ four_words load_cached(const float* source) {
  four_words v;
  asm volatile("ld.global.ca.v4.b32 {%0, %1, %2, %3}, [%4];"
               : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
               : "l"(source));
  return v;
}

__device__ unsigned mixed(const four_words& v, unsigned sum) { return (v.x ^ v.y ^ sum) ^ (v.z ^ v.w); }

__device__ unsigned result_index() { return blockIdx.x * blockDim.x + threadIdx.x; }

__global__ void __launch_bounds__(threads)
    read_shared_kernel(float* results, block_span* spans, int rounds, unsigned step) {
  extern __shared__ unsigned held[];
  for (unsigned i = threadIdx.x; i < shared_bytes / 4; i += threads) held[i] = held_word(0, i);
  __syncthreads();
  const unsigned first = gpu::ptx::shared_address(held) + load_place(threadIdx.x, 0, shared_apart);
  unsigned sum = 0;
  const span_clock clock;
  for (int r = 0; r < rounds; ++r) {
    const unsigned at = first + round_place(static_cast<unsigned>(r), step, shared_most);
#pragma unroll
    for (unsigned begin = 0; begin < loads_per_round; begin += at_once) {
      four_words v[at_once];
#pragma unroll
      for (unsigned k = 0; k < at_once; ++k) v[k] = load_shared(at + (begin + k) * shared_apart);
#pragma unroll
      for (unsigned k = 0; k < at_once; ++k) sum = mixed(v[k], sum);
    }
  }
  __syncthreads();
  results[result_index()] = static_cast<float>(sum);
  clock.end(spans);
}

__global__ void __launch_bounds__(threads)
    write_shared_kernel(float* results, block_span* spans, int rounds) {
  extern __shared__ unsigned held[];
  const unsigned at = gpu::ptx::shared_address(held) + 16 * threadIdx.x;
  const span_clock clock;
  for (int r = 0; r < rounds; ++r) {
#pragma unroll
    for (unsigned k = 0; k < loads_per_round; ++k)
      asm volatile("st.shared.v4.b32 [%0], {%1, %2, %1, %2};" ::"r"(at + (k % 2) * 16 * threads), "r"(r),
                   "r"(threadIdx.x)
                   : "memory");
  }
  __syncthreads();
  results[result_index()] = static_cast<float>(held[threadIdx.x]);
  clock.end(spans);
}

__global__ void __launch_bounds__(threads)
    read_apart_kernel(float* results, block_span* spans, int rounds, unsigned stride, unsigned step) {
  __shared__ unsigned held[banked_words];
  for (unsigned i = threadIdx.x; i < banked_words; i += threads) held[i] = held_word(0, i);
  __syncthreads();
  const unsigned first = gpu::ptx::shared_address(held) + 4 * (threadIdx.x % 32) * stride;
  unsigned sum = 0;
  const span_clock clock;
  for (int r = 0; r < rounds; ++r) {
    const unsigned at = first + 4 * round_place(static_cast<unsigned>(r), step, most_moved);
#pragma unroll
    for (unsigned begin = 0; begin < loads_per_round; begin += at_once) {
      unsigned v[at_once];
#pragma unroll
      for (unsigned k = 0; k < at_once; ++k)
        asm volatile("ld.shared.b32 %0, [%1];" : "=r"(v[k]) : "r"(at + 4 * (begin + k) * words_apart));
#pragma unroll
      for (unsigned k = 0; k < at_once; ++k) sum ^= v[k];
    }
  }
  __syncthreads();
  results[result_index()] = static_cast<float>(sum);
  clock.end(spans);
}

__global__ void __launch_bounds__(threads)
    read_l1_kernel(float* results, block_span* spans, int rounds, const float* source, unsigned step) {
  const float* const first = source + load_place(threadIdx.x, 0, l1_apart) / 4;
  unsigned sum = 0;
  const span_clock clock;
  for (int r = 0; r < rounds; ++r) {
    const float* const at = first + round_place(static_cast<unsigned>(r), step, l1_most) / 4;
#pragma unroll
    for (unsigned begin = 0; begin < loads_per_round; begin += at_once) {
      four_words v[at_once];
#pragma unroll
      for (unsigned k = 0; k < at_once; ++k) v[k] = load_cached(at + (begin + k) * l1_apart / 4);
#pragma unroll
      for (unsigned k = 0; k < at_once; ++k) sum = mixed(v[k], sum);
    }
  }
  __syncthreads();
  results[result_index()] = static_cast<float>(sum);
  clock.end(spans);
}

double bytes_of(const kernel_call& call, double bytes_per_thread) {
  return bytes_per_thread * loads_per_round * threads * call.processors * call.rounds;
}

template <class Kernel>
void leave_to(Kernel kernel, int shared_percent) {
  gpu::check(cudaFuncSetAttribute(kernel, cudaFuncAttributePreferredSharedMemoryCarveout, shared_percent),
             "cudaFuncSetAttribute of the carveout");
}

}  // namespace

double read_shared(const kernel_call& call) {
  gpu::launch(read_shared_kernel, {static_cast<unsigned>(call.processors), threads, shared_bytes},
              call.results, call.spans, call.rounds, round_step);
  return bytes_of(call, 16);
}

double write_shared(const kernel_call& call) {
  gpu::launch(write_shared_kernel, {static_cast<unsigned>(call.processors), threads, shared_bytes},
              call.results, call.spans, call.rounds);
  return bytes_of(call, 16);
}

double read_shared_apart(const kernel_call& call, int stride) {
  gpu::launch(read_apart_kernel, {static_cast<unsigned>(call.processors), threads}, call.results, call.spans,
              call.rounds, static_cast<unsigned>(stride), 1);
  return bytes_of(call, 4);
}

double read_l1(const kernel_call& call, const float* source) {
  leave_to(read_l1_kernel, 0);
  gpu::launch(read_l1_kernel, {static_cast<unsigned>(call.processors), threads}, call.results, call.spans,
              call.rounds, source, round_step);
  return bytes_of(call, 16);
}

}  // namespace ridge::backends::probe_cuda
