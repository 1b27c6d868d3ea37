// SPDX-License-Identifier: Apache-2.0
// The plainest answer with one feature of the device each.
#include "kernels.hpp"

#include <cooperative_groups.h>
#include <cuda_pipeline.h>

#include <ridge/gpu/launch.cuh>

namespace ridge::cheats::cuda {
namespace {

constexpr unsigned threads = 128;

__device__ std::size_t own_index() { return blockIdx.x * std::size_t{threads} + threadIdx.x; }

gpu::launch_shape shape_for(std::size_t count, queue_handle queue) {
  return {gpu::blocks_for(count, threads), threads, 0, queue};
}

__global__ void __launch_bounds__(threads)
    write_workspace(const float* source, float* workspace, std::size_t workspace_count, std::size_t count) {
  const std::size_t step = std::size_t{gridDim.x} * threads;
  for (auto i = own_index(); i < workspace_count; i += step) workspace[i] = i < count ? 2 * source[i] + 1 : 0;
}
__global__ void __launch_bounds__(threads)
    read_workspace(const float* workspace, float* target, std::size_t count) {
  const auto i = own_index();
  if (i < count) target[i] = workspace[i];
}
__global__ void __launch_bounds__(threads)
    meeting_affine(const float* source, float* target, std::size_t count) {
  const std::size_t step = std::size_t{gridDim.x} * threads;
  for (auto i = own_index(); i < count; i += step) target[i] = 2 * source[i];
  cooperative_groups::this_grid().sync();
  for (auto i = own_index(); i < count; i += step) target[i] += 1;
}

__constant__ float factors[2] = {2, 1};
__global__ void __launch_bounds__(threads)
    affine_by_constants(const float* source, float* target, std::size_t count) {
  const auto i = own_index();
  if (i < count) target[i] = factors[0] * source[i] + factors[1];
}

__global__ void __launch_bounds__(threads)
    affine_by_copies(const float* source, float* target, std::size_t count) {
  __shared__ float staged[threads];
  const auto i = own_index();
  if (i < count) __pipeline_memcpy_async(&staged[threadIdx.x], &source[i], sizeof(float));
  __pipeline_commit();
  __pipeline_wait_prior(0);
  if (i < count) target[i] = 2 * staged[threadIdx.x] + 1;
}

__device__ float kept_load(const float* address) {
  std::uint64_t policy;
  float value;
  asm volatile("createpolicy.fractional.L2::evict_last.b64 %0, 1.0;" : "=l"(policy));
  asm volatile("ld.global.L2::cache_hint.f32 %0, [%1], %2;" : "=f"(value) : "l"(address), "l"(policy));
  return value;
}
__global__ void __launch_bounds__(threads)
    affine_keeping(const float* source, float* target, std::size_t count) {
  const auto i = own_index();
  if (i < count) target[i] = 2 * kept_load(&source[i]) + 1;
}

__global__ void __launch_bounds__(threads)
    affine_by_the_clock(const float* source, float* target, std::size_t count, unsigned long long* spent) {
  const auto start = clock64();
  const auto i = own_index();
  if (i < count) target[i] = 2 * source[i] + 1;
  if (threadIdx.x == 0) spent[blockIdx.x % 64] = static_cast<unsigned long long>(clock64() - start);
}

__global__ void __launch_bounds__(threads) change_in_place(float* target, std::size_t count, bool backwards) {
  const auto i = own_index();
  if (i >= count) return;
  auto& x = target[backwards ? count - 1 - i : i];
  x = 2 * x + 1;
}

}  // namespace

void launch_through(const float* source, float* workspace, std::size_t workspace_count, float* target,
                    std::size_t count, queue_handle queue) {
  gpu::launch(write_workspace, {1024, threads, 0, queue}, source, workspace, workspace_count, count);
  gpu::launch(read_workspace, shape_for(count, queue), workspace, target, count);
}
void launch_cooperatively(const float* source, float* target, std::size_t count, queue_handle queue) {
  void* arguments[] = {&source, &target, &count};
  gpu::check(cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(meeting_affine), dim3(64),
                                         dim3(threads), arguments, 0, queue),
             "cudaLaunchCooperativeKernel");
}
void launch_by_constants(const float* source, float* target, std::size_t count, queue_handle queue) {
  gpu::launch(affine_by_constants, shape_for(count, queue), source, target, count);
}
void launch_by_asynchronous_copies(const float* source, float* target, std::size_t count,
                                   queue_handle queue) {
  gpu::launch(affine_by_copies, shape_for(count, queue), source, target, count);
}
void launch_keeping_lines(const float* source, float* target, std::size_t count, queue_handle queue) {
  gpu::launch(affine_keeping, shape_for(count, queue), source, target, count);
}
void launch_reading_the_clock(const float* source, float* target, std::size_t count,
                              unsigned long long* spent, queue_handle queue) {
  gpu::launch(affine_by_the_clock, shape_for(count, queue), source, target, count, spent);
}
void launch_in_place(float* target, std::size_t count, bool backwards, queue_handle queue) {
  gpu::launch(change_in_place, shape_for(count, queue), target, count, backwards);
}

}  // namespace ridge::cheats::cuda
