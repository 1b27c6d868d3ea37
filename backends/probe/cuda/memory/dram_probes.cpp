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

// Of the L2: arrays of an eighth of this, twice the L2, already stream (see ridge::harness::limit_of).
constexpr double streaming_sizes = 16;
// A kernel's start and end, some microseconds, are a hundredth of what 1 GiB takes.
constexpr std::size_t gibibyte = std::size_t{1} << 30;

std::size_t large(depth how) { return (how < depth::standard ? 4 : 8) * gibibyte; }

model::ceiling bandwidth(const stream_bench& on, std::string id, std::string what) {
  return {.id = std::move(id),
          .what = std::move(what),
          .unit = "B/s",
          .variant = on.gpu().gpu().name,
          .size_bytes = streaming_sizes * on.gpu().cache_bytes()};
}

const trial& of_name(const std::vector<trial>& all, const std::string& name) {
  for (const auto& one : all)
    if (one.name == name) return one;
  return all.front();
}

// The winner again on arrays of other sizes.
void add_sizes(model::ceiling& row, stream_bench& on, traffic what, const request& how) {
  if (how.how < depth::standard) return;
  for (const std::size_t gib : {1u, 2u, 4u, 8u}) {
    const auto in = on.arrays(gib * gibibyte);
    if (in.bytes != gib * gibibyte) return;
    row.series.push_back({std::to_string(gib) + " GiB", brief_rate(on.trial_of(what, in, row.variant))});
  }
}

rows streaming(stream_bench& on, traffic what, model::ceiling row, const request& how) {
  const auto in = on.arrays(large(how.how));
  const auto all = on.trials(what, in, how.how);
  row = best_rate(std::move(row), how, all);
  add_sizes(row, on, what, how);
  if (what == traffic::write || how.how < depth::standard) return {std::move(row)};
  on.set_zeros();
  row.zeros = brief_rate(of_name(all, row.variant));
  on.set_random();
  return {std::move(row)};
}

trial driver_copy(const stream_arrays& in) {
  return {"cudaMemcpyAsync", [in] {
            gpu::check(cudaMemcpyAsync(in.to, in.a, in.bytes, cudaMemcpyDeviceToDevice, nullptr),
                       "cudaMemcpyAsync within the device");
            return 2 * static_cast<double>(in.bytes);
          }};
}

trial driver_set(const stream_arrays& in) {
  return {"cudaMemsetAsync", [in] {
            gpu::check(cudaMemsetAsync(in.to, 0x5a, in.bytes, nullptr), "cudaMemsetAsync");
            return static_cast<double>(in.bytes);
          }};
}

// As kernels and the driver do it, whichever is faster.
rows copying(stream_bench& on, const request& how) {
  const auto in = on.arrays(4 * gibibyte);
  auto all = on.trials(traffic::copy, in, how.how);
  all.push_back(driver_copy(in));
  auto row =
      best_rate(bandwidth(on, "cuda.copy", "b = a over device memory, bytes read and written"), how, all);
  if (how.how < depth::standard) return {std::move(row)};
  on.set_zeros();
  row.zeros = brief_rate(of_name(all, row.variant));
  on.set_random();
  return {std::move(row)};
}

}  // namespace

void add_dram_probes(probe_list& to, gpu_bench& gpu) {
  const auto on = std::make_shared<stream_bench>(gpu);
  const auto add = [&](std::string id, std::string title, std::string means, depth from, auto measure) {
    to.push_back({std::move(id), std::move(title), std::move(means), from,
                  [on, measure](const request& how) { return measure(*on, how); }});
  };
  add("cuda.copy", "device memory, copy", "bounds kernels that read and write as much", depth::essential,
      copying);
  add("cuda.read", "device memory, read", "bounds reductions, and products with a vector", depth::essential,
      [](stream_bench& with, const request& how) {
        return streaming(with, traffic::read,
                         bandwidth(with, "cuda.read", "sum of an array in device memory, bytes read"), how);
      });
  add("cuda.write", "device memory, write", "bounds what only writes", depth::quick,
      [](stream_bench& with, const request& how) {
        return streaming(with, traffic::write,
                         bandwidth(with, "cuda.write", "random words over device memory, bytes written"),
                         how);
      });
  add("cuda.triad", "device memory, triad", "bounds elementwise kernels of two operands", depth::quick,
      [](stream_bench& with, const request& how) {
        return streaming(
            with, traffic::triad,
            bandwidth(with, "cuda.triad", "c = a + f b over device memory, bytes read and written"), how);
      });
  add("cuda.memset", "device memory, set by the driver", "what clearing a buffer costs", depth::quick,
      [](stream_bench& with, const request& how) {
        const auto row = bandwidth(with, "cuda.memset", "cudaMemset of device memory, bytes written");
        return rows{best_rate(row, how, {driver_set(with.arrays(large(how.how)))})};
      });
  add("cuda.memcpy", "device memory, copied by the driver", "what cudaMemcpy within the device reaches",
      depth::quick, [](stream_bench& with, const request& how) {
        const auto row =
            bandwidth(with, "cuda.memcpy", "cudaMemcpy within the device, bytes read and written");
        return rows{best_rate(row, how, {driver_copy(with.arrays(large(how.how)))})};
      });
}

}  // namespace ridge::backends::probe_cuda
