// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <bit>
#include <cstring>
#include <functional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include <ridge/base/error.hpp>
#include <ridge/gpu/check.hpp>
#include <ridge/gpu/memory.hpp>
#include <ridge/stats/quantile.hpp>

#include "latency/chase_kernels.cuh"
#include "probe_lists.hpp"
#include "timing/best_rate.hpp"

namespace ridge::backends::probe_cuda {
namespace {

using probe::depth, probe::request;
using rows = std::vector<model::ceiling>;

constexpr int latency_samples = 11, samples_per_working_set = 3;

struct latency {
  double cycles = 0, seconds = 0, clock_hz = 0;
};

latency latency_of(const chase_result& seen, std::uint64_t loads) {
  const double count = static_cast<double>(loads),
               ns = static_cast<double>(std::max<std::uint64_t>(seen.nanoseconds, 1));
  return {static_cast<double>(seen.cycles) / count, ns * 1e-9 / count,
          static_cast<double>(seen.cycles) / ns * 1e9};
}

// A cycle of pointers and the place where the last sample ended; the next sample continues there, as a cycle
// may be too long for one sample.
class track {
 public:
  track(void* array, std::size_t bytes, std::uint64_t most_loads)
      : array_(array),
        lines_(bytes / line_bytes),
        position_(array),
        most_(most_loads),
        result_(sizeof(chase_result)) {
    make_cycle(array, bytes, nullptr);
  }
  // Follows whole laps of the cycle, or as many loads as are allowed where a lap is longer.
  latency sample() {
    const auto laps = std::max<std::uint64_t>(1, most_ / 2 / lines_);
    const auto wanted = std::min(most_, laps * lines_);
    const auto loads = std::max<std::uint64_t>(wanted / unrolled, 1) * unrolled;
    chase(position_, lap_before(), loads, result_.as<chase_result>(), nullptr);
    gpu::check(cudaDeviceSynchronize(), "cudaDeviceSynchronize of a chase");
    verify(loads);
    return latency_of(*result_.as<chase_result>(), loads);
  }

 private:
  // A multiprocessor's caches are empty when a kernel begins; a lap that is not timed fills them.
  std::uint64_t lap_before() const { return lines_ <= most_ / 4 && lines_ % unrolled == 0 ? lines_ : 0; }
  // A whole number of laps ends at its beginning, and nothing shorter does.
  void verify(std::uint64_t loads) {
    const auto to = result_.as<chase_result>()->place;
    const auto begin = reinterpret_cast<std::uint64_t>(array_),
               from = reinterpret_cast<std::uint64_t>(position_);
    const bool inside = to >= begin && to < begin + lines_ * line_bytes && (to - begin) % line_bytes == 0;
    if (!inside || (loads % lines_ == 0) != (to == from))
      throw failure(
          {"following pointers through the GPU's memory ended at a wrong place", "check the GPU's memory"});
    position_ = reinterpret_cast<void*>(to);
  }
  void* array_;
  std::uint64_t lines_;
  void* position_;
  std::uint64_t most_;
  gpu::pinned_memory result_;
};

std::uint64_t most_loads(depth depth) {
  if (depth <= depth::quick) return std::uint64_t{1} << 15;
  return depth == depth::standard ? std::uint64_t{1} << 17 : std::uint64_t{1} << 20;
}

model::ceiling row_of(model::ceiling row, int count, const std::function<latency()>& sample) {
  (void)sample();
  std::vector<double> seconds, cycles, clocks;
  for (int i = 0; i < count; ++i) {
    const auto seen = sample();
    seconds.push_back(seen.seconds);
    cycles.push_back(seen.cycles);
    clocks.push_back(seen.clock_hz);
  }
  row.unit = "s";
  row.clock_hz = stats::median(clocks);
  row.variant = fmt::format("{:.1f} clocks", stats::median(cycles));
  return with_median(std::move(row), std::move(seconds));
}

rows at_a_size(const request& request, const std::string& id, const std::string& place, std::size_t bytes) {
  const gpu::device_memory array(bytes);
  track cycle(array.data(), bytes, most_loads(request.depth));
  return {row_of({.id = id,
                  .description = "dependent load of a pointer, " + place,
                  .size_bytes = static_cast<double>(bytes)},
                 latency_samples, [&] { return cycle.sample(); })};
}

std::string working_set_in_words(std::size_t bytes) {
  if (bytes >= gibibyte) return fmt::format("{:.4g} GiB", static_cast<double>(bytes) / gibibyte);
  if (bytes >= mebibyte) return fmt::format("{:.4g} MiB", static_cast<double>(bytes) / mebibyte);
  return fmt::format("{} KiB", bytes / kibibyte);
}

std::size_t largest(depth depth) {
  std::size_t free = 0, total = 0;
  gpu::check(cudaMemGetInfo(&free, &total), "cudaMemGetInfo");
  const std::size_t most = depth <= depth::quick ? gibibyte : 8 * gibibyte;
  return std::min(most, std::bit_floor(free / 2));
}

// Latencies of working sets from 8 KiB to 8 GiB, or to half of the free memory.
std::vector<model::ceiling_point> ladder(const request& request) {
  const auto most = largest(request.depth);
  const gpu::device_memory array(most);
  std::vector<model::ceiling_point> points;
  for (std::size_t octave = 8 * kibibyte; octave <= most; octave *= 2) {
    for (const std::size_t bytes : {octave, octave + octave / 2}) {
      if (bytes > most || (bytes != octave && request.depth <= depth::quick)) continue;
      track cycle(array.data(), bytes, most_loads(request.depth));
      points.push_back({working_set_in_words(bytes),
                        row_of({}, samples_per_working_set, [&] { return cycle.sample(); }).value});
    }
  }
  return points;
}

rows in_device_memory(const request& request) {
  auto all =
      at_a_size(request, "cuda.latency.dram", "in device memory", std::min(gibibyte, largest(request.depth)));
  all.front().series = ladder(request);
  return all;
}

rows in_host_memory(const request& request) {
  constexpr std::size_t bytes = mebibyte;
  const gpu::pinned_memory array(bytes);
  track cycle(array.data(), bytes, std::min<std::uint64_t>(most_loads(request.depth), 2048));
  return {row_of({.id = "cuda.latency.host",
                  .description = "dependent load of a pointer, in pinned host memory",
                  .size_bytes = static_cast<double>(bytes)},
                 latency_samples, [&] { return cycle.sample(); })};
}

rows on_the_chip(const std::string& id, const std::string& place, double bytes,
                 void (*follow)(std::uint64_t, chase_result*, cudaStream_t)) {
  constexpr std::uint64_t loads = 1 << 16;
  const gpu::pinned_memory result(sizeof(chase_result));
  return {row_of(
      {.id = id, .description = "dependent load of a pointer, in " + place, .size_bytes = bytes},
      latency_samples, [&] {
        follow(loads, result.as<chase_result>(), nullptr);
        gpu::check(cudaDeviceSynchronize(), "cudaDeviceSynchronize of a chase");
        if (result.as<chase_result>()->place != 0)
          throw failure({"a chase through " + place + " ended at a wrong place", "check the GPU's memory"});
        return latency_of(*result.as<chase_result>(), loads);
      })};
}

}  // namespace

void add_latency_probes(probe_list& list, gpu_bench& bench) {
  const auto add = [&](std::string id, std::string title, std::string means, auto measure) {
    list.push_back({std::move(id), std::move(title), std::move(means), depth::quick, measure});
  };
  add("cuda.latency.shared", "shared memory, latency", "a step of a dependent chain in shared memory",
      [](const request&) {
        return on_the_chip("cuda.latency.shared", "shared memory", 4096, chase_in_shared);
      });
  add("cuda.latency.constant", "constant memory, latency", "a step of a dependent chain of constants",
      [](const request&) {
        return on_the_chip("cuda.latency.constant", "constant memory", 1024, chase_in_constant);
      });
  add("cuda.latency.l1", "L1, latency", "what a warp waits for a load that hits the L1",
      [](const request& request) {
        return at_a_size(request, "cuda.latency.l1", "in the L1", 16 * kibibyte);
      });
  add("cuda.latency.l2", "L2, latency", "what a warp waits for a load that hits the L2",
      [&bench](const request& request) {
        const auto bytes = std::bit_floor(static_cast<std::size_t>(bench.cache_bytes() / 8));
        return at_a_size(request, "cuda.latency.l2", "in the L2", bytes);
      });
  add("cuda.latency.dram", "device memory, latency", "what a warp waits for a load that misses the caches",
      in_device_memory);
  add("cuda.latency.host", "host memory, latency from the GPU", "what a warp waits for a load over the link",
      in_host_memory);
}

}  // namespace ridge::backends::probe_cuda
