// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include <ridge/gpu/check.hpp>
#include <ridge/gpu/launch.cuh>
#include <ridge/gpu/ptx/fence.cuh>
#include <ridge/gpu/ptx/shared_address.cuh>

#include "matrix_units/matrix_kernels.hpp"
#include "matrix_units/matrix_sums.cuh"
#include "matrix_units/warpgroup_instructions.cuh"
#include "matrix_units/warpgroup_layout.hpp"
#include "timing/span_clock.cuh"

namespace ridge::backends::probe_cuda {

#ifdef __CUDA_ARCH_FEAT_SM90_ALL

// Fills the block's shared memory with operands and waits for all threads.
template <class Type>
__device__ void fill_operands(std::uint32_t* operands, bool zeros) {
  using namespace warpgroup_layout;
  for (unsigned i = threadIdx.x; i < operand_bytes / 4; i += threads)
    operands[i] = zeros ? 0 : random_word<Type>(i + blockIdx.x * (operand_bytes / 4));
  gpu::ptx::fence_proxy_async_shared_cta();  // makes the stores visible to wgmma
  __syncthreads();
}

// The first operand of each step: in shared memory from `address` on, or in registers.
template <bool Registers, class Type>
class first_operands {
 public:
  __device__ first_operands(unsigned address, bool zeros) : address_(address) {
    if constexpr (Registers) {
#pragma unroll
      for (int step = 0; step < warpgroup_layout::steps; ++step)
#pragma unroll
        for (int k = 0; k < 4; ++k)
          held_[step].words[k] =
              zeros ? 0 : random_word<Type>(warpgroup_layout::register_index(threadIdx.x, step, k));
    }
  }
  __device__ auto of(int stage, int step) const {
    if constexpr (Registers)
      return held_[step];
    else
      return gpu::wgmma_descriptor_128b_rows(
          address_ + static_cast<unsigned>(stage * warpgroup_layout::first_bytes + 32 * step));
  }

 private:
  unsigned address_;
  first_registers held_[Registers ? warpgroup_layout::steps : 1];
};

// Keeps the compiler from moving reads or writes of the sums across this point: it does not know that a wgmma
// may still be computing them.
template <int Count>
__device__ void hold(float (&sums)[Count]) {
#pragma unroll
  for (int i = 0; i < Count; ++i) asm volatile("" : "+f"(sums[i])::"memory");
}
template <class Word, int Count>
__device__ void hold(Word (&sums)[Count]) {
#pragma unroll
  for (int i = 0; i < Count; ++i) asm volatile("" : "+r"(sums[i])::"memory");
}

// Adds one group of products, of all stages and steps, to the sums; with `onto` 0 the first product replaces
// them.
template <class Type, class First>
__device__ void add_group(typename Type::sum (&sums)[Type::sums], const First& first, unsigned second,
                          int onto) {
  using namespace warpgroup_layout;
#pragma unroll 1  // unrolled, the probes of all types take half a minute to compile
  for (int stage = 0; stage < stages; ++stage) {
    gpu::ptx::wgmma_fence();
#pragma unroll
    for (int step = 0; step < steps; ++step)
      add_product(
          Type{}, sums, first.of(stage, step),
          gpu::wgmma_descriptor_128b_rows(second + static_cast<unsigned>(stage * second_bytes + 32 * step)),
          stage + step > 0 ? 1 : onto);
  }
  gpu::ptx::wgmma_commit_group();
}

#endif

template <class Type, bool Registers, int UnderWay>
__global__ void __launch_bounds__(warpgroup_layout::threads, 1)
    products_by_warpgroups([[maybe_unused]] float* results, [[maybe_unused]] block_span* spans,
                           [[maybe_unused]] int rounds, [[maybe_unused]] bool zeros) {
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
  using namespace warpgroup_layout;
  extern __shared__ std::byte dynamic[];
  const auto given = gpu::ptx::shared_address(dynamic);
  const unsigned at = (given + alignment - 1) / alignment * alignment;
  fill_operands<Type>(reinterpret_cast<std::uint32_t*>(dynamic + (at - given)), zeros);
  // The shuffle tells the compiler that the value is the same in all lanes.
  const unsigned warpgroup = __shfl_sync(0xFFFFFFFFu, threadIdx.x / 128, 0);
  const first_operands<Registers, Type> first(at + warpgroup * stages * first_bytes, zeros);
  const unsigned second = at + static_cast<unsigned>(second_at(0));
  typename Type::sum sums[Type::sums] = {};
  hold(sums);
  const span_clock clock;
  for (int round = 0; round < rounds; ++round) {
    add_group<Type>(sums, first, second, round % rounds_per_sum);
    gpu::ptx::wgmma_wait_group<UnderWay>();
  }
  gpu::ptx::wgmma_wait_group<0>();
  hold(sums);
  float sum = 0;
#pragma unroll
  for (int i = 0; i < Type::sums; ++i) sum += read_sum(Type{}, sums[i]);
  results[blockIdx.x * threads + threadIdx.x] = sum;
  clock.end(spans);
#endif
}

template <class Type, bool Registers, int UnderWay>
double run_products(const kernel_call& call) {
  using namespace warpgroup_layout;
  const auto kernel = products_by_warpgroups<Type, Registers, UnderWay>;
  gpu::allow_dynamic_shared_memory(kernel, shared_bytes);
  gpu::launch(kernel, {static_cast<unsigned>(call.processors), threads, shared_bytes}, call.results,
              call.spans, call.rounds, call.zeros);
  constexpr double flop_per_round = 2.0 * warpgroups * stages * steps * rows * columns * Type::depth;
  return flop_per_round * call.rounds * call.processors;
}

template <bool Registers>
double run_products_of(operand type, const kernel_call& call, bool two_groups) {
  const auto run = [&]<class Type>(Type) {
    return two_groups ? run_products<Type, Registers, 1>(call) : run_products<Type, Registers, 0>(call);
  };
  switch (type) {
    case operand::bf16:
      return run(bf16_operand{});
    case operand::fp16:
      return run(fp16_operand{});
    case operand::tf32:
      return run(tf32_operand{});
    case operand::fp8:
      return run(fp8_operand{});
    case operand::int8:
      return run(int8_operand{});
    default:
      return run(fp16_in_fp16_operand{});
  }
}

// Defined in separate files, which are compiled at the same time.
double run_products_from_shared(operand type, const kernel_call& call, bool two_groups);
double run_products_from_registers(operand type, const kernel_call& call, bool two_groups);

}  // namespace ridge::backends::probe_cuda
