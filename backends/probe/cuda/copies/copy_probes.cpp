// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <string>
#include <utility>

#include <fmt/format.h>

#include <ridge/base/error.hpp>
#include <ridge/gpu/check.hpp>
#include <ridge/gpu/side_stream.hpp>
#include <ridge/stats/quantile.hpp>

#include "allocation/host_buffer.hpp"
#include "copies/transfer.hpp"
#include "memory/stream_check.cuh"
#include "probe_lists.hpp"
#include "timing/best_rate.hpp"

namespace ridge::backends::probe_cuda {
namespace {

using probe::depth, probe::request;
using rows = std::vector<model::ceiling>;

constexpr int copy_samples = 9, samples_per_copy_size = 5;

std::size_t size_of(depth depth) {
  return (depth <= depth::quick ? 64 : depth == depth::standard ? 256 : 1024) * mebibyte;
}

std::string size_in_words(direction way, const std::string& memory) {
  return way == direction::to_device ? "from " + memory + " host memory to the GPU"
                                     : "from the GPU to " + memory + " host memory";
}

void require(bool same, std::string_view title) {
  if (!same)
    throw failure({"copying " + std::string(title) + " changed the data", "check the link and the memory"});
}

// A host buffer, a device buffer and a stream for copies between them.
struct copy_bench {
  copy_bench(host_memory kind, std::size_t size) : bytes(size), host(kind, size), device(size) {}
  std::size_t bytes;
  host_buffer host;
  gpu::device_memory device, scratch{256};
  gpu::side_stream stream{};

  void copy(direction way, std::size_t count) {
    enqueue_copy(way, device.data(), host.data(), count, stream);
  }
  std::uint32_t device_sum() { return sum_of_words(device.data(), bytes / 4, scratch.as<std::uint32_t>()); }
  void verify(direction way) {
    if (way == direction::to_host) fill_random(device.data(), bytes, 3, nullptr);
    gpu::check(cudaDeviceSynchronize(), "cudaDeviceSynchronize before a copy");
    copy(way, bytes);
    stream.synchronize();
    require(device_sum() == (way == direction::to_device ? host.sum() : host.sum_now()), name(way));
  }
};

std::vector<double> rates(const std::vector<double>& seconds, std::size_t bytes) {
  std::vector<double> all;
  for (const double s : seconds) all.push_back(static_cast<double>(bytes) / s);
  return all;
}

model::ceiling copied(copy_bench& bench, direction way, host_memory kind) {
  bench.verify(way);
  const bool held = kind != host_memory::pageable;
  const auto seconds = seconds_of(copy_samples, held, bench.stream, [&] { bench.copy(way, bench.bytes); });
  return with_median({.id = fmt::format("cuda.{}.{}", name(way), name(kind)),
                      .description = "cudaMemcpyAsync " + size_in_words(way, std::string(name(kind))),
                      .unit = "B/s",
                      .variant = "copy engine",
                      .size_bytes = static_cast<double>(bench.bytes)},
                     rates(seconds, bench.bytes));
}

// Adds the rates of sizes from one byte on to `row`; returns the row of the time that a copy of 8 bytes
// takes.
model::ceiling add_copy_sizes(model::ceiling& row, copy_bench& bench, direction way) {
  std::vector<transfer_time> times;
  for (std::size_t bytes = 1; bytes <= bench.bytes; bytes *= 8) {
    const auto seconds =
        seconds_of(samples_per_copy_size, true, bench.stream, [&] { bench.copy(way, bytes); });
    const double count = static_cast<double>(bytes), median = stats::median(seconds);
    times.push_back({count, median});
    row.series.push_back({fmt::format("{} B", bytes), count / median});
  }
  const auto fit = fitted(times);
  row.note = fmt::format("T = {:.2f} us + V / {:.1f} GB/s", 1e6 * fit.latency_s, 1e-9 * fit.bytes_per_s);
  return with_median({.id = fmt::format("cuda.{}.latency", name(way)),
                      .description = "cudaMemcpyAsync of 8 bytes " + size_in_words(way, "pinned"),
                      .unit = "s",
                      .variant = "copy engine",
                      .size_bytes = 8,
                      .note = row.note},
                     seconds_of(copy_samples, true, bench.stream, [&] { bench.copy(way, 8); }));
}

rows copying_by_engine(const request& request, direction way, host_memory kind) {
  copy_bench bench(kind, size_of(request.depth));
  auto row = copied(bench, way, kind);
  if (kind != host_memory::pinned) return {std::move(row)};
  auto latency = add_copy_sizes(row, bench, way);
  return {std::move(row), std::move(latency)};
}

// Copies by a kernel that reads or writes host memory directly.
rows by_kernel(gpu_bench& gpu, const request& request, direction way) {
  copy_bench bench(host_memory::pinned, size_of(request.depth));
  const bool to_device = way == direction::to_device;
  const stream_arrays arrays{
      static_cast<const uint4*>(to_device ? bench.host.data() : bench.device.data()), nullptr,
      static_cast<uint4*>(to_device ? bench.device.data() : bench.host.data()), nullptr, bench.bytes};
  if (!to_device) fill_random(bench.device.data(), bench.bytes, 4, nullptr);
  std::vector<trial> trials;
  for (const auto& v : variants_of(traffic::copy).first(request.depth == depth::deep ? 6 : 3)) {
    if (v.least_major > gpu.properties().major) continue;
    trials.push_back({name(v), [&v, arrays, &gpu] {
                        v.launch(v, arrays, gpu.processors(), nullptr);
                        return static_cast<double>(arrays.bytes);
                      }});
  }
  auto row = best_rate({.id = fmt::format("cuda.{}.kernel", name(way)),
                        .description = "a kernel that copies " + size_in_words(way, "pinned"),
                        .unit = "B/s",
                        .size_bytes = static_cast<double>(bench.bytes)},
                       request, trials);
  require(bench.device_sum() == (to_device ? bench.host.sum() : bench.host.sum_now()), row.description);
  return {std::move(row)};
}

void add_copies(probe_list& list, direction way) {
  const std::string id = "cuda." + std::string(name(way));
  const std::string title = way == direction::to_device ? "host to GPU" : "GPU to host";
  for (const auto kind :
       {host_memory::pinned, host_memory::pageable, host_memory::registered, host_memory::write_combined}) {
    if (way == direction::to_host && kind == host_memory::write_combined) continue;
    const bool first = kind == host_memory::pinned || kind == host_memory::pageable;
    list.push_back({first && kind == host_memory::pinned ? id : id + "." + std::string(name(kind)),
                    title + ", " + std::string(name(kind)), "bounds what feeds the GPU from host memory",
                    first ? depth::quick : depth::standard,
                    [way, kind](const request& request) { return copying_by_engine(request, way, kind); }});
  }
}

}  // namespace

void add_copy_probes(probe_list& list, gpu_bench& bench) {
  for (const auto way : {direction::to_device, direction::to_host}) {
    add_copies(list, way);
    list.push_back({fmt::format("cuda.{}.kernel", name(way)),
                    way == direction::to_device ? "host to GPU, by a kernel" : "GPU to host, by a kernel",
                    "what kernels reach that use host memory as it lies", depth::standard,
                    [&bench, way](const request& request) { return by_kernel(bench, request, way); }});
  }
}

}  // namespace ridge::backends::probe_cuda
