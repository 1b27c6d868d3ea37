// SPDX-License-Identifier: Apache-2.0
#include "synchronization/atomic_kernels.hpp"

#include <ridge/gpu/launch.cuh>
#include <ridge/gpu/ptx/shared_address.cuh>

#include "synchronization/atomic_instructions.cuh"
#include "timing/span_clock.cuh"

namespace ridge::backends::probe_cuda {
namespace {

constexpr unsigned threads = 256, blocks_per_processor = 8;
constexpr int again = 8;

template <class Op, bool Returning>
__global__ void __launch_bounds__(threads)
    update_kernel(float* results, block_span* spans, int rounds, typename Op::word* target,
                  typename Op::word addend, unsigned multiplier, unsigned step, unsigned mask) {
  const unsigned thread = blockIdx.x * threads + threadIdx.x;
  unsigned at = thread * multiplier, sum = 0;
  const span_clock clock;
  for (int r = 0; r < rounds; ++r) {
#pragma unroll
    for (int a = 0; a < again; ++a) {
      if constexpr (Returning)
        sum ^= Op::atom(target + (at & mask), addend);
      else
        Op::red(target + (at & mask), addend);
      at += step;
    }
  }
  __syncthreads();
  results[thread] = static_cast<float>(sum);
  clock.end(spans);
}

__global__ void follow_kernel(float* results, block_span* spans, int rounds, std::uint32_t* target,
                              unsigned addend, unsigned none) {
  unsigned old = 0;
  const span_clock clock;
  for (int r = 0; r < rounds; ++r) {
#pragma unroll
    for (int a = 0; a < again; ++a) old = add_u32::atom(target + (old & none), addend);
  }
  *results = static_cast<float>(old);
  clock.end(spans);
}

__global__ void __launch_bounds__(threads)
    update_shared_kernel(float* results, block_span* spans, int rounds, unsigned addend, unsigned mask) {
  __shared__ unsigned held[threads];
  held[threadIdx.x] = 0;
  __syncthreads();
  const auto at = gpu::ptx::shared_address(held) + 4 * (threadIdx.x & mask);
  const span_clock clock;
  for (int r = 0; r < rounds; ++r) {
#pragma unroll
    for (int a = 0; a < again; ++a)
      asm volatile("red.shared.add.u32 [%0], %1;" ::"r"(at), "r"(addend) : "memory");
  }
  __syncthreads();
  results[blockIdx.x * threads + threadIdx.x] = static_cast<float>(held[threadIdx.x]);
  clock.end(spans);
}

template <class Op>
double run(const kernel_call& call, void* target, typename Op::word addend, const address_pattern& pattern,
           bool returning) {
  const auto blocks = static_cast<unsigned>(call.processors) * blocks_per_processor;
  const auto kernel = returning ? update_kernel<Op, true> : update_kernel<Op, false>;
  gpu::launch(kernel, {blocks, threads}, call.results, call.spans, call.rounds,
              static_cast<typename Op::word*>(target), addend, pattern.multiplier, pattern.step,
              pattern.mask);
  return double{again} * threads * blocks * call.rounds;
}

}  // namespace

std::string_view name(atomic_op op) {
  constexpr std::array<std::string_view, atomic_ops.size()> names{"u32",   "u64",    "f32", "f64",
                                                                  "f16x2", "bf16x2", "cas"};
  return names[static_cast<std::size_t>(op)];
}

double update_atomically(const kernel_call& call, atomic_op op, void* target, const address_pattern& pattern,
                         bool returning) {
  switch (op) {
    case atomic_op::u32:
      return run<add_u32>(call, target, 1, pattern, returning);
    case atomic_op::u64:
      return run<add_u64>(call, target, 1, pattern, returning);
    case atomic_op::f32:
      return run<add_f32>(call, target, 1, pattern, returning);
    case atomic_op::f64:
      return run<add_f64>(call, target, 1, pattern, returning);
    case atomic_op::f16x2:
      return run<add_f16x2>(call, target, 0x3C003C00, pattern, returning);
    case atomic_op::bf16x2:
      return run<add_bf16x2>(call, target, 0x3F803F80, pattern, returning);
    default:
      return run<swap_u32>(call, target, 1, pattern, true);
  }
}

double update_one_after_another(const kernel_call& call, void* target) {
  gpu::launch(follow_kernel, {1, 1}, call.results, call.spans, call.rounds,
              static_cast<std::uint32_t*>(target), 1, 0);
  return double{again} * call.rounds;
}

double update_shared(const kernel_call& call, bool same) {
  const auto blocks = static_cast<unsigned>(call.processors) * blocks_per_processor;
  gpu::launch(update_shared_kernel, {blocks, threads}, call.results, call.spans, call.rounds, 1,
              same ? 0 : 31);
  return double{again} * threads * blocks * call.rounds;
}

}  // namespace ridge::backends::probe_cuda
