// SPDX-License-Identifier: Apache-2.0
#include "clock_kernels.cuh"

#include <algorithm>

#include <ridge/gpu/check.hpp>

namespace ridge::peers {
namespace {

constexpr unsigned threads = 256;
constexpr unsigned blocks_each = 8;                           // of a multiprocessor: all it can hold
constexpr std::uint64_t most_quads = std::uint64_t{1} << 24;  // 256 MiB an array
constexpr unsigned long long stop_at_most_ns = 200'000'000;

__device__ unsigned long long now_ns() {
  unsigned long long now = 0;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now)::"memory");
  return now;
}

__device__ void stamp_begin(stamps* stamp) {
  if (threadIdx.x == 0) atomicMax(&stamp->first_inverted, ~now_ns());
}

__device__ void stamp_end(stamps* stamp) {
  __syncthreads();
  if (threadIdx.x == 0) atomicMax(&stamp->last, now_ns());
}

__global__ void __launch_bounds__(threads) copy_passes(const float4* source, float4* destination,
                                                       std::uint64_t quads, unsigned passes, stamps* stamp) {
  stamp_begin(stamp);
  const std::uint64_t stride = std::uint64_t{gridDim.x} * threads;
  for (unsigned pass = 0; pass < passes; ++pass) {
    for (auto i = std::uint64_t{blockIdx.x} * threads + threadIdx.x; i < quads; i += stride) {
      auto value = source[i];
      value.x += static_cast<float>(pass);
      destination[i] = value;
    }
  }
  stamp_end(stamp);
}

__global__ void __launch_bounds__(threads) multiply_add(std::uint64_t times, float* never, stamps* stamp) {
  stamp_begin(stamp);
  float a = static_cast<float>(threadIdx.x), b = a + 1, c = a + 2, d = a + 3;
  for (std::uint64_t i = 0; i < times; ++i) {
    a = fmaf(a, 0.999f, 1.0f);
    b = fmaf(b, 0.999f, 1.0f);
    c = fmaf(c, 0.999f, 1.0f);
    d = fmaf(d, 0.999f, 1.0f);
  }
  if (a + b + c + d == -1.0f) *never = a;
  stamp_end(stamp);
}

__global__ void nothing() {}

__global__ void wait_for(const volatile int* released) {
  const auto from = now_ns();
  while (*released == 0 && now_ns() - from < stop_at_most_ns) __nanosleep(200);
}

int multiprocessors() {
  int device = 0, count = 0;
  gpu::check(cudaGetDevice(&device), "cudaGetDevice");
  gpu::check(cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, device),
             "cudaDeviceGetAttribute");
  return count;
}

}  // namespace

kernel_launcher::kernel_launcher()
    : from_(allocated()), to_(allocated()), multiprocessors_(multiprocessors()) {}

kernel_launcher::device_quads kernel_launcher::allocated() {
  void* made = nullptr;
  gpu::check(cudaMalloc(&made, most_quads * sizeof(float4)), "cudaMalloc of 256 MiB");
  device_quads memory(static_cast<float4*>(made));
  gpu::check(cudaMemset(made, 0, most_quads * sizeof(float4)), "cudaMemset");
  return memory;
}

void kernel_launcher::launch(const sized_kernel& kernel, stamps* stamp, cudaStream_t stream) const {
  const auto blocks = static_cast<unsigned>(multiprocessors_) * blocks_each;
  if (kernel.by == limit::compute) {
    multiply_add<<<blocks, threads, 0, stream>>>(kernel.amount, &to_.get()->x, stamp);
  } else {
    const auto passes = (kernel.amount + most_quads - 1) / most_quads;
    const auto each = kernel.amount / std::max<std::uint64_t>(passes, 1);
    copy_passes<<<blocks, threads, 0, stream>>>(from_.get(), to_.get(), each, static_cast<unsigned>(passes),
                                                stamp);
  }
  gpu::check_launch(kernel.by == limit::compute ? "multiply_add" : "copy_passes");
}

void kernel_launcher::launch_empty(cudaStream_t stream) const {
  nothing<<<1, 1, 0, stream>>>();
  gpu::check_launch("nothing");
}

stream_stop::stream_stop() {
  void* made = nullptr;
  gpu::check(cudaHostAlloc(&made, sizeof(int), cudaHostAllocMapped), "cudaHostAlloc of a flag");
  released_.reset(static_cast<volatile int*>(made));
  *released_ = 1;
}

void stream_stop::hold(cudaStream_t stream) {
  *released_ = 0;
  wait_for<<<1, 1, 0, stream>>>(released_.get());
  gpu::check_launch("wait_for");
}

}  // namespace ridge::peers
