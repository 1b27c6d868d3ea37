// SPDX-License-Identifier: Apache-2.0
#include <vector>

#include <ridge/gpu/check.hpp>
#include <ridge/gpu/launch.cuh>

#include "launches/launch_kernels.cuh"
#include "serving/replayed.hpp"
#include "serving/timed_calls.hpp"
#include "timing/event_seconds.hpp"

namespace ridge::backends::probe_cuda {
namespace {

constexpr unsigned threads = 256;

// Four pairs of bf16 numbers a thread; a shift of each exponent by one is a product with 2.
__global__ void twice_kernel(const uint4* x, uint4* y, std::size_t count) {
  const std::size_t i = std::size_t{blockIdx.x} * threads + threadIdx.x;
  if (i >= count) return;
  auto v = x[i];
  constexpr unsigned one = 0x00800080;
  v.x += one, v.y += one, v.z += one, v.w += one;
  y[i] = v;
}

}  // namespace

void launch_elementwise(const void* x, void* y, std::size_t bytes, cudaStream_t stream) {
  const auto count = bytes / sizeof(uint4);
  if (count == 0) return;
  gpu::launch(twice_kernel, {gpu::blocks_for(count, threads), threads, 0, stream},
              static_cast<const uint4*>(x), static_cast<uint4*>(y), count);
}

probe::kernel_timing timed_elementwise(const timing_bench& bench, const model::kernel_call& call) {
  const auto half = aligned_bytes(static_cast<std::size_t>(call.size("bytes")) / 2);
  const auto sets = bench.pool.divide(2 * half, element::bf16);
  auto found = replayed(bench.stream, sets.sets, [&](cudaStream_t stream, int set) {
    launch_elementwise(sets.at(set), sets.at(set, half), half, stream);
  });
  found.implementation = "Ridge's kernel";
  return found;
}

probe::kernel_timing timed_launch(const timing_bench& bench, const model::kernel_call& call) {
  constexpr int calls = 1000, samples = 9;
  probe::kernel_timing found;
  if (call.format == "graph") {
    found = replayed(bench.stream, 1, [](cudaStream_t stream, int) { launch_empty(stream); });
  } else {
    std::vector<double> seconds;
    for (int i = 0; i < samples; ++i)
      seconds.push_back(event_seconds(bench.stream, [&] {
        for (int k = 0; k < calls; ++k) launch_empty(bench.stream);
      }));
    found = timing_of(std::move(seconds), calls);
  }
  found.implementation = "an empty kernel";
  return found;
}

}  // namespace ridge::backends::probe_cuda
