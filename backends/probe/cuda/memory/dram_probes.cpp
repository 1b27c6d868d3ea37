// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <string>
#include <utility>

#include <ridge/gpu/check.hpp>

#include "memory/stream_bench.hpp"
#include "probe_lists.hpp"

namespace ridge::backends::probe_cuda {
namespace {

using probe::depth, probe::request;
using rows = std::vector<model::ceiling>;

// The size of the row in multiples of the L2: arrays of an eighth of this size, twice the L2, already stream
// (see ridge::harness::limit_of).
constexpr double streaming_sizes = 16;

// Size of an array: the start and end of a kernel take some microseconds, a hundredth of the time for 1 GiB.
std::size_t large(depth depth) { return (depth < depth::standard ? 4 : 8) * gibibyte; }

model::ceiling bandwidth(const stream_bench& bench, std::string id, std::string title) {
  return {.id = std::move(id),
          .description = std::move(title),
          .unit = "B/s",
          .variant = bench.gpu().properties().name,
          .size_bytes = streaming_sizes * bench.gpu().cache_bytes()};
}

const trial& of_name(const std::vector<trial>& all, const std::string& name) {
  for (const auto& one : all)
    if (one.name == name) return one;
  return all.front();
}

// Adds the rates of the best variant on arrays of other sizes.
void add_sizes(model::ceiling& row, stream_bench& bench, traffic kind, const request& request) {
  if (request.depth < depth::standard) return;
  for (const std::size_t gib : {1u, 2u, 4u, 8u}) {
    const auto arrays = bench.arrays(gib * gibibyte);
    if (arrays.bytes != gib * gibibyte) return;
    row.series.push_back(
        {std::to_string(gib) + " GiB", brief_rate(bench.trial_of(kind, arrays, row.variant))});
  }
}

rows streaming(stream_bench& bench, traffic kind, model::ceiling row, const request& request) {
  const auto arrays = bench.arrays(large(request.depth));
  const auto all = bench.trials(kind, arrays, request.depth);
  row = best_rate(std::move(row), request, all);
  add_sizes(row, bench, kind, request);
  if (kind == traffic::write || request.depth < depth::standard) return {std::move(row)};
  bench.set_zeros();
  row.zeros = brief_rate(of_name(all, row.variant));
  bench.set_random();
  return {std::move(row)};
}

trial driver_copy(const stream_arrays& arrays) {
  return {"cudaMemcpyAsync", [arrays] {
            gpu::check(
                cudaMemcpyAsync(arrays.target, arrays.a, arrays.bytes, cudaMemcpyDeviceToDevice, nullptr),
                "cudaMemcpyAsync within the device");
            return 2 * static_cast<double>(arrays.bytes);
          }};
}

trial driver_set(const stream_arrays& arrays) {
  return {"cudaMemsetAsync", [arrays] {
            gpu::check(cudaMemsetAsync(arrays.target, 0x5a, arrays.bytes, nullptr), "cudaMemsetAsync");
            return static_cast<double>(arrays.bytes);
          }};
}

// Copies by kernels and by the driver; the row has the fastest.
rows copying(stream_bench& bench, const request& request) {
  const auto arrays = bench.arrays(4 * gibibyte);
  auto all = bench.trials(traffic::copy, arrays, request.depth);
  all.push_back(driver_copy(arrays));
  auto row = best_rate(bandwidth(bench, "cuda.copy", "b = a over device memory, bytes read and written"),
                       request, all);
  if (request.depth < depth::standard) return {std::move(row)};
  bench.set_zeros();
  row.zeros = brief_rate(of_name(all, row.variant));
  bench.set_random();
  return {std::move(row)};
}

}  // namespace

void add_dram_probes(probe_list& list, gpu_bench& gpu) {
  const auto streams = std::make_shared<stream_bench>(gpu);
  const auto add = [&](std::string id, std::string title, std::string means, depth depth, auto measure) {
    list.push_back({std::move(id), std::move(title), std::move(means), depth,
                    [streams, measure](const request& request) { return measure(*streams, request); }});
  };
  add("cuda.copy", "device memory, copy", "bounds kernels that read and write as much", depth::essential,
      copying);
  add("cuda.read", "device memory, read", "bounds reductions, and products with a vector", depth::essential,
      [](stream_bench& bench, const request& request) {
        return streaming(bench, traffic::read,
                         bandwidth(bench, "cuda.read", "sum of an array in device memory, bytes read"),
                         request);
      });
  add("cuda.write", "device memory, write", "bounds what only writes", depth::quick,
      [](stream_bench& bench, const request& request) {
        return streaming(bench, traffic::write,
                         bandwidth(bench, "cuda.write", "random words over device memory, bytes written"),
                         request);
      });
  add("cuda.triad", "device memory, triad", "bounds elementwise kernels of two operands", depth::quick,
      [](stream_bench& bench, const request& request) {
        return streaming(
            bench, traffic::triad,
            bandwidth(bench, "cuda.triad", "c = a + f b over device memory, bytes read and written"),
            request);
      });
  add("cuda.memset", "device memory, set by the driver", "what clearing a buffer costs", depth::quick,
      [](stream_bench& bench, const request& request) {
        const auto row = bandwidth(bench, "cuda.memset", "cudaMemset of device memory, bytes written");
        return rows{best_rate(row, request, {driver_set(bench.arrays(large(request.depth)))})};
      });
  add("cuda.memcpy", "device memory, copied by the driver", "what cudaMemcpy within the device reaches",
      depth::quick, [](stream_bench& bench, const request& request) {
        const auto row =
            bandwidth(bench, "cuda.memcpy", "cudaMemcpy within the device, bytes read and written");
        return rows{best_rate(row, request, {driver_copy(bench.arrays(large(request.depth)))})};
      });
}

}  // namespace ridge::backends::probe_cuda
