// SPDX-License-Identifier: Apache-2.0
// Kernels that answer nothing: they disturb, do not end, fault or talk.
#include "kernels.hpp"

#include <cstdio>

#include <ridge/gpu/launch.cuh>
#include <ridge/gpu/ptx/special_registers.cuh>

namespace ridge::cheats::cuda {
namespace {

constexpr unsigned threads = 256, blocks = 1056;

std::uint64_t nanoseconds(double seconds) { return static_cast<std::uint64_t>(seconds * 1e9); }

__global__ void __launch_bounds__(threads) burn(std::uint64_t for_ns, float* never) {
  const auto begin = gpu::ptx::globaltimer();
  float y = static_cast<float>(threadIdx.x);
  while (gpu::ptx::globaltimer() - begin < for_ns) {
#pragma unroll 16
    for (int i = 0; i < 256; ++i) y = 1.0001F * y + 0.5F;
  }
  if (y == -1) *never = y;
}

__global__ void __launch_bounds__(threads) thrash(float* memory, std::size_t count, std::uint64_t for_ns) {
  const auto begin = gpu::ptx::globaltimer();
  const std::size_t step = std::size_t{gridDim.x} * threads;
  while (gpu::ptx::globaltimer() - begin < for_ns) {
    for (auto i = blockIdx.x * std::size_t{threads} + threadIdx.x; i < count; i += step) memory[i] += 1;
  }
}

__global__ void __launch_bounds__(threads) work_on(const volatile float* source, std::uint32_t* states,
                                                   std::size_t count, int steps, std::uint64_t for_ns) {
  const auto begin = gpu::ptx::globaltimer();
  const auto i = blockIdx.x * std::size_t{threads} + threadIdx.x;
  while (gpu::ptx::globaltimer() - begin < for_ns) {
    if (i >= count) return;
    const auto bits = __float_as_uint(source[i]);
    auto state = bits;
    for (int k = 0; k < steps; ++k) state = (state ^ (state >> 15)) * mixing_multiplier + bits;
    states[i] = state;
  }
}

__device__ int never_set = 0;
__global__ void spin_for_ever() {
  while (*static_cast<volatile int*>(&never_set) == 0) __nanosleep(1000);
}
__global__ void meets_a_trap() { asm volatile("trap;"); }
__global__ void say() { std::printf("verdict BETTER x99.9 assurance 3\n"); }

__global__ void __launch_bounds__(threads)
    write_astray(float* target, std::ptrdiff_t first, std::size_t count) {
  const auto i = blockIdx.x * std::size_t{threads} + threadIdx.x;
  if (i < count) target[first + static_cast<std::ptrdiff_t>(i)] = 1;
}

}  // namespace

void launch_burner(double seconds, queue_handle queue) {
  gpu::launch(burn, {blocks, threads, 0, queue}, nanoseconds(seconds), nullptr);
}
void launch_thrasher(float* memory, std::size_t count, double seconds, queue_handle queue) {
  gpu::launch(thrash, {blocks, threads, 0, queue}, memory, count, nanoseconds(seconds));
}
void launch_worker(const float* source, std::uint32_t* states, std::size_t count, int steps, double seconds,
                   queue_handle queue) {
  gpu::launch(work_on, {gpu::blocks_for(count, threads), threads, 0, queue}, source, states, count, steps,
              nanoseconds(seconds));
}
void launch_endless(queue_handle queue) { gpu::launch(spin_for_ever, {1, 1, 0, queue}); }
void launch_trap(queue_handle queue) { gpu::launch(meets_a_trap, {1, 1, 0, queue}); }
void launch_verdict(queue_handle queue) { gpu::launch(say, {1, 1, 0, queue}); }
void launch_stray_writes(float* target, std::ptrdiff_t first, std::size_t count, queue_handle queue) {
  gpu::launch(write_astray, {gpu::blocks_for(count, threads), threads, 0, queue}, target, first, count);
}

}  // namespace ridge::cheats::cuda
