// SPDX-License-Identifier: Apache-2.0
#include <ridge/gpu/check.hpp>

#include "matrix_kernels.cuh"
#include "random_operands.cuh"

namespace ridge::backends::probe_cuda {
namespace {

constexpr int warpgroups = 2, threads = 128 * warpgroups;
static_assert(threads == block_threads);
constexpr int rows = 64, columns = 256;  // of a product
constexpr int row_bytes = 128, steps = row_bytes / 32, stages = 4;
constexpr int first_bytes = rows * row_bytes, second_bytes = columns * row_bytes;
// Operands of all stages: each warpgroup's own first ones, then second ones that they share.
constexpr int operand_bytes = stages * (warpgroups * first_bytes + second_bytes);
constexpr int alignment = 1024;  // of a swizzled operand
constexpr int shared_bytes = operand_bytes + alignment;

#ifdef __CUDA_ARCH_FEAT_SM90_ALL

// A sum is begun anew after so many rounds, as a product's would be: 1024 terms of two bytes.
constexpr int rounds_a_sum = 4;

// Rows of 128 bytes in 128-byte swizzle; 8 rows are 1024 bytes apart from the next 8 (PTX ISA, asynchronous
// warpgroup-level matrix shared memory layout). Random bytes need no swizzling.
__device__ std::uint64_t description_of(unsigned address) {
  constexpr std::uint64_t eight_rows = std::uint64_t{1024 / 16} << 32, swizzle_128 = std::uint64_t{1} << 62;
  return ((address & 0x3FFFFU) >> 4) | std::uint64_t{1} << 16 | eight_rows | swizzle_128;
}

#define RIDGE_SUMS                                                                                        \
  "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, " \
  "%22, %23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, "  \
  "%42, %43, %44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, "  \
  "%62, %63, %64, %65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, %80, %81, "  \
  "%82, %83, %84, %85, %86, %87, %88, %89, %90, %91, %92, %93, %94, %95, %96, %97, %98, %99, %100, "      \
  "%101, %102, %103, %104, %105, %106, %107, %108, %109, %110, %111, %112, %113, %114, %115, %116, "      \
  "%117, %118, %119, %120, %121, %122, %123, %124, %125, %126, %127}"
#define RIDGE_4(i) "+f"(d[i]), "+f"(d[(i) + 1]), "+f"(d[(i) + 2]), "+f"(d[(i) + 3])
#define RIDGE_16(i) RIDGE_4(i), RIDGE_4((i) + 4), RIDGE_4((i) + 8), RIDGE_4((i) + 12)
#define RIDGE_64(i) RIDGE_16(i), RIDGE_16((i) + 16), RIDGE_16((i) + 32), RIDGE_16((i) + 48)
// 64 rows by 256, one step of 32 bytes; onto: 0 begins a sum.
#define RIDGE_PRODUCT(type, instruction, last)                                                              \
  __device__ void add_product(type, float(&d)[128], std::uint64_t a, std::uint64_t b, int onto) {           \
    asm volatile("{ .reg .pred p; setp.ne.b32 p, %130, 0; wgmma.mma_async.sync.aligned.m64n256" instruction \
                 " " RIDGE_SUMS ", %128, %129, p, 1, 1" last "; }"                                          \
                 : RIDGE_64(0), RIDGE_64(64)                                                                \
                 : "l"(a), "l"(b), "r"(onto));                                                              \
  }
RIDGE_PRODUCT(bf16_operand, "k16.f32.bf16.bf16", ", 0, 0")
RIDGE_PRODUCT(fp16_operand, "k16.f32.f16.f16", ", 0, 0")
RIDGE_PRODUCT(tf32_operand, "k8.f32.tf32.tf32", "")
RIDGE_PRODUCT(fp8_operand, "k32.f32.e4m3.e4m3", "")
#undef RIDGE_PRODUCT
#undef RIDGE_64
#undef RIDGE_16
#undef RIDGE_4
#undef RIDGE_SUMS

template <class Type>
__device__ void fill_operands(std::uint32_t* to) {
  for (unsigned i = threadIdx.x; i < operand_bytes / 4; i += threads)
    to[i] = random_word<Type>(i + blockIdx.x * (operand_bytes / 4));
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");  // what was stored becomes visible to wgmma
  __syncthreads();
}

#endif

template <class Type>
__global__ void __launch_bounds__(threads, 1)
    products_by_warpgroups([[maybe_unused]] float* to, [[maybe_unused]] int rounds) {
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
  extern __shared__ std::byte dynamic[];
  const auto given = static_cast<unsigned>(__cvta_generic_to_shared(dynamic));
  const unsigned at = (given + alignment - 1) / alignment * alignment;
  fill_operands<Type>(reinterpret_cast<std::uint32_t*>(dynamic + (at - given)));
  // The same in all lanes, which the compiler must know.
  const unsigned warpgroup = __shfl_sync(0xFFFFFFFFu, threadIdx.x / 128, 0);
  const unsigned first = at + warpgroup * stages * first_bytes;
  const unsigned second = at + warpgroups * stages * first_bytes;
  float sums[128];
  for (int round = 0; round < rounds; ++round) {
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#pragma unroll
    for (unsigned stage = 0; stage < stages; ++stage) {
#pragma unroll
      for (unsigned step = 0; step < steps; ++step)
        add_product(Type{}, sums, description_of(first + stage * first_bytes + 32 * step),
                    description_of(second + stage * second_bytes + 32 * step),
                    stage + step > 0 ? 1 : round % rounds_a_sum);
    }
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
    asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
  }
  float sum = 0;
#pragma unroll
  for (int i = 0; i < 128; ++i) sum += sums[i];
  to[blockIdx.x * threads + threadIdx.x] = sum;
#endif
}

template <class Type>
double enqueue(float* to, int rounds, int processors, cudaStream_t on) {
  const auto kernel = products_by_warpgroups<Type>;
  gpu::check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, shared_bytes),
             "cudaFuncSetAttribute of the shared memory");
  kernel<<<static_cast<unsigned>(processors), threads, shared_bytes, on>>>(to, rounds);
  gpu::check_launch("products_by_warpgroups");
  constexpr double flop_a_round = 2.0 * warpgroups * stages * steps * rows * columns * Type::depth;
  return flop_a_round * rounds * processors;
}

}  // namespace

double multiply_by_warpgroups(operand type, float* to, int rounds, int processors, cudaStream_t on) {
  switch (type) {
    case operand::bf16:
      return enqueue<bf16_operand>(to, rounds, processors, on);
    case operand::fp16:
      return enqueue<fp16_operand>(to, rounds, processors, on);
    case operand::tf32:
      return enqueue<tf32_operand>(to, rounds, processors, on);
    default:
      return enqueue<fp8_operand>(to, rounds, processors, on);
  }
}

}  // namespace ridge::backends::probe_cuda
