// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <utility>

#include <ridge/gpu/check.hpp>

#include "burst_rate.hpp"
#include "memory_kernels.cuh"
#include "probe_lists.hpp"

namespace ridge::backends::probe_cuda {
namespace {

using probe::depth, probe::request;
using rows = std::vector<model::ceiling>;

// Of the L2: arrays of an eighth of this, twice the L2, already stream (see ridge::harness::limit_of).
constexpr double streaming_sizes = 16;

model::ceiling bandwidth(const gpu_bench& on, std::string id, std::string what, double size_bytes) {
  return {.id = std::move(id),
          .what = std::move(what),
          .unit = "B/s",
          .variant = on.gpu().name,
          .size_bytes = size_bytes};
}

rows copying(gpu_bench& on, const request& how) {
  const auto named = bandwidth(on, "cuda.copy", "b = a over device memory, bytes read and written",
                               streaming_sizes * on.cache_bytes());
  const auto by_kernel = burst_rate(named, how, [&](int rounds) {
    for (int i = 0; i < rounds; ++i) copy(on.from(), on.to(), array_floats, on.processors(), nullptr);
    return 2.0 * array_bytes * rounds;
  });
  const auto by_driver = burst_rate(named, how, [&](int rounds) {
    for (int i = 0; i < rounds; ++i)
      gpu::check(cudaMemcpyAsync(on.to(), on.from(), array_bytes, cudaMemcpyDeviceToDevice, nullptr),
                 "cudaMemcpyAsync within the device");
    return 2.0 * array_bytes * rounds;
  });
  return {by_kernel.value > by_driver.value ? by_kernel : by_driver};
}

rows reading(gpu_bench& on, const request& how) {
  return {burst_rate(bandwidth(on, "cuda.read", "sum of an array in device memory, bytes read",
                               streaming_sizes * on.cache_bytes()),
                     how, [&](int rounds) {
                       double bytes = 0;
                       for (int i = 0; i < rounds; ++i)
                         bytes += read(on.from(), on.to(), array_floats, on.processors(), nullptr);
                       return bytes;
                     })};
}

rows reading_the_cache(gpu_bench& on, const request& how) {
  const auto bytes = static_cast<std::size_t>(on.cache_bytes() / 4);
  return {burst_rate(
      bandwidth(on, "cuda.l2.read", "sum of an array of a quarter of the L2", static_cast<double>(bytes)),
      how, [&](int rounds) {
        return read_again(on.from(), on.to(), bytes / sizeof(float), rounds, on.processors(), nullptr);
      })};
}

}  // namespace

void add_memory_probes(probe_list& to, gpu_bench& on) {
  const auto add = [&](std::string id, std::string title, std::string means,
                       rows (*measure)(gpu_bench&, const request&)) {
    to.push_back({std::move(id), std::move(title), std::move(means), depth::essential,
                  [&on, measure](const request& how) { return measure(on, how); }});
  };
  add("cuda.copy", "device memory, copy", "bounds kernels that read and write as much", copying);
  add("cuda.read", "device memory, read", "bounds reductions, and products with a vector", reading);
  add("cuda.l2.read", "L2, read", "bounds kernels whose data stays in the L2", reading_the_cache);
}

}  // namespace ridge::backends::probe_cuda
