// SPDX-License-Identifier: Apache-2.0
#include <ridge/gpu/check.hpp>
#include <ridge/gpu/launch.cuh>
#include <ridge/gpu/memory.hpp>

#include "timing/span_clock.cuh"
#include "timing/span_log.hpp"

namespace ridge::backends::probe_cuda {
namespace {

constexpr int readings = 20000;  // some 0.3 ms

__global__ void find_tick(std::int64_t* tick) {
  std::int64_t least = 1'000'000'000, before = nanosecond_now();
  for (int i = 0; i < readings; ++i) {
    const auto now = nanosecond_now();
    if (now > before && now - before < least) least = now - before;
    before = now;
  }
  *tick = least;
}

}  // namespace

std::int64_t common_clock_tick() {
  const gpu::device_memory memory(sizeof(std::int64_t));
  auto* const at = memory.as<std::int64_t>();
  gpu::launch(find_tick, {1, 1}, at);
  std::int64_t tick = 0;
  gpu::check(cudaMemcpy(&tick, at, sizeof tick, cudaMemcpyDeviceToHost), "cudaMemcpy of the clock's tick");
  return tick;
}

}  // namespace ridge::backends::probe_cuda
