// SPDX-License-Identifier: Apache-2.0
#include "shared_kernels.hpp"

#include <cstddef>

#include <ridge/gpu/check.hpp>

#include "span_clock.cuh"

namespace ridge::backends::probe_cuda {
namespace {

constexpr unsigned threads = on_chip_threads;
constexpr int at_once = 8, again = 4;  // accesses of a thread in a round: at_once * again
constexpr unsigned shared_bytes = 2 * threads * 16;
constexpr unsigned words_apart = 32 * most_stride;

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

__global__ void __launch_bounds__(threads) read_shared_kernel(float* to, block_span* spans, int rounds) {
  extern __shared__ float held[];
  for (unsigned i = threadIdx.x; i < shared_bytes / 4; i += threads) held[i] = static_cast<float>(i);
  __syncthreads();
  const unsigned at = address_of(held) + 16 * threadIdx.x;
  unsigned sum = 0;
  const span_clock clock;
  for (int r = 0; r < rounds; ++r) {
#pragma unroll
    for (int a = 0; a < again; ++a) {
      four_words v[at_once];
#pragma unroll
      for (unsigned k = 0; k < at_once; ++k) v[k] = load_shared(at + (k % 2) * 16 * threads);
#pragma unroll
      for (int k = 0; k < at_once; ++k) sum = mixed(v[k], sum);
    }
  }
  __syncthreads();
  to[result_index()] = static_cast<float>(sum);
  clock.end(spans);
}

__global__ void __launch_bounds__(threads) write_shared_kernel(float* to, block_span* spans, int rounds) {
  extern __shared__ float held[];
  const unsigned at = address_of(held) + 16 * threadIdx.x;
  const span_clock clock;
  for (int r = 0; r < rounds; ++r) {
#pragma unroll
    for (unsigned k = 0; k < at_once * again; ++k)
      asm volatile("st.shared.v4.b32 [%0], {%1, %2, %1, %2};" ::"r"(at + (k % 2) * 16 * threads), "r"(r),
                   "r"(threadIdx.x)
                   : "memory");
  }
  __syncthreads();
  to[result_index()] = held[threadIdx.x];
  clock.end(spans);
}

__global__ void __launch_bounds__(threads)
    read_apart_kernel(float* to, block_span* spans, int rounds, unsigned stride) {
  __shared__ unsigned held[words_apart];
  for (unsigned i = threadIdx.x; i < words_apart; i += threads) held[i] = i;
  __syncthreads();
  const unsigned at = address_of(held) + 4 * (threadIdx.x % 32) * stride;
  unsigned sum = 0;
  const span_clock clock;
  for (int r = 0; r < rounds; ++r) {
#pragma unroll
    for (int a = 0; a < again; ++a) {
      unsigned v[at_once];
#pragma unroll
      for (int k = 0; k < at_once; ++k) asm volatile("ld.shared.b32 %0, [%1];" : "=r"(v[k]) : "r"(at));
#pragma unroll
      for (int k = 0; k < at_once; ++k) sum ^= v[k];
    }
  }
  __syncthreads();
  to[result_index()] = static_cast<float>(sum);
  clock.end(spans);
}

__global__ void __launch_bounds__(threads)
    read_l1_kernel(float* to, block_span* spans, int rounds, const float* from) {
  const float* const at = from + 4 * threadIdx.x;
  constexpr unsigned pieces = l1_bytes / (16 * threads);
  unsigned sum = 0;
  const span_clock clock;
  for (int r = 0; r < rounds; ++r) {
#pragma unroll
    for (int a = 0; a < again; ++a) {
      four_words v[at_once];
#pragma unroll
      for (unsigned k = 0; k < at_once; ++k) v[k] = load_cached(at + (k % pieces) * 4 * threads);
#pragma unroll
      for (int k = 0; k < at_once; ++k) sum = mixed(v[k], sum);
    }
  }
  __syncthreads();
  to[result_index()] = static_cast<float>(sum);
  clock.end(spans);
}

double bytes_of(const kernel_call& call, double bytes_a_thread) {
  return bytes_a_thread * at_once * again * threads * call.processors * call.rounds;
}

template <class Kernel>
void leave_to(Kernel kernel, int shared_percent) {
  gpu::check(cudaFuncSetAttribute(kernel, cudaFuncAttributePreferredSharedMemoryCarveout, shared_percent),
             "cudaFuncSetAttribute of the carveout");
}

}  // namespace

double read_shared(const kernel_call& call) {
  read_shared_kernel<<<static_cast<unsigned>(call.processors), threads, shared_bytes>>>(call.to, call.spans,
                                                                                        call.rounds);
  gpu::check_launch("read_shared_kernel");
  return bytes_of(call, 16);
}

double write_shared(const kernel_call& call) {
  write_shared_kernel<<<static_cast<unsigned>(call.processors), threads, shared_bytes>>>(call.to, call.spans,
                                                                                         call.rounds);
  gpu::check_launch("write_shared_kernel");
  return bytes_of(call, 16);
}

double read_shared_apart(const kernel_call& call, int stride) {
  read_apart_kernel<<<static_cast<unsigned>(call.processors), threads>>>(call.to, call.spans, call.rounds,
                                                                         static_cast<unsigned>(stride));
  gpu::check_launch("read_apart_kernel");
  return bytes_of(call, 4);
}

double read_l1(const kernel_call& call, const float* from) {
  leave_to(read_l1_kernel, 0);
  read_l1_kernel<<<static_cast<unsigned>(call.processors), threads>>>(call.to, call.spans, call.rounds, from);
  gpu::check_launch("read_l1_kernel");
  return bytes_of(call, 16);
}

}  // namespace ridge::backends::probe_cuda
