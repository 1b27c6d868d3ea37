// SPDX-License-Identifier: Apache-2.0
#include "clock_reader.hpp"

#include <ridge/gpu/launch.cuh>
#include <ridge/gpu/ptx/special_registers.cuh>

namespace ridge::backends::device_cuda {
namespace {

constexpr std::uint64_t watched_ns = 8000;
constexpr std::uint64_t most_looks = 1u << 20;  // should the timer stand still

// Waits for the first change of the timer at or after `since`; returns its reading and the cycle count then.
__device__ void wait_for_tick(std::uint64_t since, std::uint64_t& ns, std::uint64_t& cycle) {
  const std::uint64_t before = gpu::ptx::globaltimer();
  for (std::uint64_t look = 0; look < most_looks; ++look) {
    ns = gpu::ptx::globaltimer();
    cycle = static_cast<std::uint64_t>(clock64());
    if (ns != before && ns >= since) return;
  }
}

__global__ void watch_clocks(clock_words* words) {
  std::uint64_t ns[2], cycle[2];
  wait_for_tick(0, ns[0], cycle[0]);
  wait_for_tick(ns[0] + watched_ns, ns[1], cycle[1]);
  for (int end = 0; end < 2; ++end) {
    words->cycles[end] = cycle[end];
    words->nanoseconds[end] = ns[end];
  }
}

__global__ void empty() {}

}  // namespace

void enqueue_empty_kernel(cudaStream_t queue) { gpu::launch(empty, {1, 1, 0, queue}); }

void enqueue_clock_reading(clock_words* words, cudaStream_t queue) {
  gpu::launch(watch_clocks, {1, 1, 0, queue}, words);
}

device::clock_reading reading_of(const clock_words& seen) {
  const auto ns = static_cast<double>(seen.nanoseconds[1] - seen.nanoseconds[0]);
  const auto cycles = static_cast<double>(seen.cycles[1] - seen.cycles[0]);
  return {
      .hz = ns > 0 ? cycles / ns * 1e9 : 0, .begin_ns = seen.nanoseconds[0], .end_ns = seen.nanoseconds[1]};
}

}  // namespace ridge::backends::device_cuda
