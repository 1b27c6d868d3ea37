// SPDX-License-Identifier: Apache-2.0
#include "shared_memory/shared_kernels.hpp"

#include <cstddef>

#include <ridge/gpu/check.hpp>
#include <ridge/gpu/launch.cuh>

#include "timing/span_clock.cuh"

namespace ridge::backends::probe_cuda {
namespace {

constexpr unsigned threads = on_chip_threads;
constexpr unsigned at_once = 8;
// Of the words a stride apart: a load of a round is a row of banks and one bank beyond the one before.
constexpr unsigned words_apart = 33, most_moved = 31;
constexpr unsigned banked_words = 31 * most_stride + (loads_a_round - 1) * words_apart + most_moved + 1;

struct four_words {
  unsigned x, y, z, w;
};

__device__ four_words load_shared(unsigned at) {
  four_words v;
  asm volatile("ld.shared.v4.b32 {%0, %1, %2, %3}, [%4];"
               : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
               : "r"(at));
  return v;
}

__device__ four_words load_cached(const float* at) {
  four_words v;
  asm volatile("ld.global.ca.v4.b32 {%0, %1, %2, %3}, [%4];"
               : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
               : "l"(at));
  return v;
}

__device__ unsigned mixed(const four_words& v, unsigned with) { return (v.x ^ v.y ^ with) ^ (v.z ^ v.w); }

__device__ unsigned address_of(const void* at) { return static_cast<unsigned>(__cvta_generic_to_shared(at)); }

__device__ unsigned result_index() { return blockIdx.x * blockDim.x + threadIdx.x; }

__global__ void __launch_bounds__(threads)
    read_shared_kernel(float* to, block_span* spans, int rounds, unsigned step) {
  extern __shared__ unsigned held[];
  for (unsigned i = threadIdx.x; i < shared_bytes / 4; i += threads) held[i] = held_word(0, i);
  __syncthreads();
  const unsigned first = address_of(held) + load_place(threadIdx.x, 0, shared_apart);
  unsigned sum = 0;
  const span_clock clock;
  for (int r = 0; r < rounds; ++r) {
    const unsigned at = first + round_place(static_cast<unsigned>(r), step, shared_most);
#pragma unroll
    for (unsigned begin = 0; begin < loads_a_round; begin += at_once) {
      four_words v[at_once];
#pragma unroll
      for (unsigned k = 0; k < at_once; ++k) v[k] = load_shared(at + (begin + k) * shared_apart);
#pragma unroll
      for (unsigned k = 0; k < at_once; ++k) sum = mixed(v[k], sum);
    }
  }
  __syncthreads();
  to[result_index()] = static_cast<float>(sum);
  clock.end(spans);
}

__global__ void __launch_bounds__(threads) write_shared_kernel(float* to, block_span* spans, int rounds) {
  extern __shared__ unsigned held[];
  const unsigned at = address_of(held) + 16 * threadIdx.x;
  const span_clock clock;
  for (int r = 0; r < rounds; ++r) {
#pragma unroll
    for (unsigned k = 0; k < loads_a_round; ++k)
      asm volatile("st.shared.v4.b32 [%0], {%1, %2, %1, %2};" ::"r"(at + (k % 2) * 16 * threads), "r"(r),
                   "r"(threadIdx.x)
                   : "memory");
  }
  __syncthreads();
  to[result_index()] = static_cast<float>(held[threadIdx.x]);
  clock.end(spans);
}

__global__ void __launch_bounds__(threads)
    read_apart_kernel(float* to, block_span* spans, int rounds, unsigned stride, unsigned step) {
  __shared__ unsigned held[banked_words];
  for (unsigned i = threadIdx.x; i < banked_words; i += threads) held[i] = held_word(0, i);
  __syncthreads();
  const unsigned first = address_of(held) + 4 * (threadIdx.x % 32) * stride;
  unsigned sum = 0;
  const span_clock clock;
  for (int r = 0; r < rounds; ++r) {
    const unsigned at = first + 4 * round_place(static_cast<unsigned>(r), step, most_moved);
#pragma unroll
    for (unsigned begin = 0; begin < loads_a_round; begin += at_once) {
      unsigned v[at_once];
#pragma unroll
      for (unsigned k = 0; k < at_once; ++k)
        asm volatile("ld.shared.b32 %0, [%1];" : "=r"(v[k]) : "r"(at + 4 * (begin + k) * words_apart));
#pragma unroll
      for (unsigned k = 0; k < at_once; ++k) sum ^= v[k];
    }
  }
  __syncthreads();
  to[result_index()] = static_cast<float>(sum);
  clock.end(spans);
}

__global__ void __launch_bounds__(threads)
    read_l1_kernel(float* to, block_span* spans, int rounds, const float* from, unsigned step) {
  const float* const first = from + load_place(threadIdx.x, 0, l1_apart) / 4;
  unsigned sum = 0;
  const span_clock clock;
  for (int r = 0; r < rounds; ++r) {
    const float* const at = first + round_place(static_cast<unsigned>(r), step, l1_most) / 4;
#pragma unroll
    for (unsigned begin = 0; begin < loads_a_round; begin += at_once) {
      four_words v[at_once];
#pragma unroll
      for (unsigned k = 0; k < at_once; ++k) v[k] = load_cached(at + (begin + k) * l1_apart / 4);
#pragma unroll
      for (unsigned k = 0; k < at_once; ++k) sum = mixed(v[k], sum);
    }
  }
  __syncthreads();
  to[result_index()] = static_cast<float>(sum);
  clock.end(spans);
}

double bytes_of(const kernel_call& call, double bytes_a_thread) {
  return bytes_a_thread * loads_a_round * threads * call.processors * call.rounds;
}

template <class Kernel>
void leave_to(Kernel kernel, int shared_percent) {
  gpu::check(cudaFuncSetAttribute(kernel, cudaFuncAttributePreferredSharedMemoryCarveout, shared_percent),
             "cudaFuncSetAttribute of the carveout");
}

}  // namespace

double read_shared(const kernel_call& call) {
  gpu::launch(read_shared_kernel, {static_cast<unsigned>(call.processors), threads, shared_bytes}, call.to,
              call.spans, call.rounds, round_step);
  return bytes_of(call, 16);
}

double write_shared(const kernel_call& call) {
  gpu::launch(write_shared_kernel, {static_cast<unsigned>(call.processors), threads, shared_bytes}, call.to,
              call.spans, call.rounds);
  return bytes_of(call, 16);
}

double read_shared_apart(const kernel_call& call, int stride) {
  gpu::launch(read_apart_kernel, {static_cast<unsigned>(call.processors), threads}, call.to, call.spans,
              call.rounds, static_cast<unsigned>(stride), 1);
  return bytes_of(call, 4);
}

double read_l1(const kernel_call& call, const float* from) {
  leave_to(read_l1_kernel, 0);
  gpu::launch(read_l1_kernel, {static_cast<unsigned>(call.processors), threads}, call.to, call.spans,
              call.rounds, from, round_step);
  return bytes_of(call, 16);
}

}  // namespace ridge::backends::probe_cuda
