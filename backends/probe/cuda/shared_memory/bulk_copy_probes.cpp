// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <string>

#include <ridge/gpu/check.hpp>

#include "memory/persistence_kernels.hpp"
#include "probe_lists.hpp"
#include "shared_memory/bulk_kernels.hpp"
#include "timing/best_variant.hpp"
#include "timing/instruction_bench.hpp"

namespace ridge::backends::probe_cuda {
namespace {

using probe::depth, probe::request;
using rows = std::vector<model::ceiling>;

rows in_bulk(instruction_bench& bench, const request& request, model::ceiling row) {
  const auto bytes = static_cast<std::size_t>(row.size_bytes);
  std::vector<variant> ways;
  for (const auto& shape : bulk_shapes)
    ways.push_back({std::string(shape.name),
                    [&bench, bytes, shape](int rounds) {
                      return read_in_bulk(bench.call(rounds), bench.gpu.source(), bytes, shape);
                    },
                    {}});
  row = best_variant(std::move(row), request, ways, bench.log);
  return row.value > 0 ? rows{std::move(row)} : rows{};
}

rows from_memory(instruction_bench& bench, const request& request) {
  return in_bulk(bench, request,
                 {.id = "cuda.bulk.read",
                  .description = "bulk copies from device memory to shared memory",
                  .unit = "B/s",
                  .size_bytes = array_bytes});
}

rows from_cache(instruction_bench& bench, const request& request) {
  constexpr double whole = 256 << 10;  // a multiple of the size of every shape's copies
  return in_bulk(bench, request,
                 {.id = "cuda.bulk.l2.read",
                  .description = "bulk copies from the L2 to shared memory",
                  .unit = "B/s",
                  .size_bytes = std::max(1.0, std::floor(bench.gpu.cache_bytes() / 4 / whole)) * whole});
}

rows one_after_another(instruction_bench& bench, const request& request) {
  model::ceiling row;
  std::vector<model::ceiling_point> series;
  for (const unsigned bytes : {16u, 128u, 1024u, 4096u, 16384u, 65536u}) {
    auto one = burst_rate(
        {.id = "cuda.bulk.latency",
         .description = "a bulk copy of 16 bytes from the L2, waited for",
         .variant = "one thread, one copy at a time",
         .size_bytes = 16},
        request,
        [&](int rounds) { return copy_one_after_another(bench.call(rounds), bench.gpu.source(), bytes); },
        bench.timed(brief));
    series.push_back({std::to_string(bytes) + " B", one.value});
    if (bytes == 16) row = std::move(one);
  }
  row.series = std::move(series);
  return {as_latency(std::move(row))};
}

// Sets `bytes` of the L2 aside for persisting lines; the destructor gives them back.
class set_aside {
 public:
  explicit set_aside(std::size_t bytes) {
    gpu::check(cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, bytes), "cudaDeviceSetLimit of the L2");
  }
  ~set_aside() {
    (void)cudaCtxResetPersistingL2Cache();
    (void)cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, 0);
  }
  set_aside(const set_aside&) = delete;
  set_aside& operator=(const set_aside&) = delete;
};

rows kept_in_cache(instruction_bench& bench, const request& request) {
  const auto most = static_cast<std::size_t>(std::max(0, bench.gpu.properties().persistingL2CacheMaxSize));
  const auto window = static_cast<std::size_t>(std::max(0, bench.gpu.properties().accessPolicyMaxWindowSize));
  const auto hot = std::min({most, window, array_bytes / 8}) / 2 / 32768 * 32768;
  if (hot == 0) return {};
  const set_aside kept(most);
  const auto measured = [&](bool windowed) {
    const mixed_reads reads{bench.gpu.source(), hot, bench.gpu.source() + array_floats / 8,
                            array_bytes / 8 * 7, windowed};
    return burst_rate(
        {.id = "cuda.l2.persist",
         .description = "reads of a hot set and thrice as much of a stream",
         .unit = "B/s",
         .variant = windowed ? "access policy window" : "none",
         .size_bytes = static_cast<double>(hot)},
        request, [&](int rounds) { return read_mixed(bench.call(rounds), reads); }, bench.timed());
  };
  const auto without = measured(false);
  auto row = measured(true);
  row.series = {{"no window", without.value}, {"hot set persisting", row.value}};
  return {std::move(row)};
}

}  // namespace

void add_bulk_copy_probes(probe_list& list, gpu_bench& device_bench) {
  const auto bench = std::make_shared<instruction_bench>(device_bench);
  const auto add = [&](std::string id, std::string title, std::string means,
                       rows (*measure)(instruction_bench&, const request&)) {
    list.push_back({std::move(id), std::move(title), std::move(means), depth::standard,
                    [bench, measure](const request& request) { return measure(*bench, request); }});
  };
  if (device_bench.properties().persistingL2CacheMaxSize > 0)
    add("cuda.l2.persist", "a hot set beside a stream", "what keeping data in the L2 gains", kept_in_cache);
  if (device_bench.properties().major < 9) return;
  add("cuda.bulk.read", "bulk copies from device memory", "bounds pipelines fed by the copy engine",
      from_memory);
  add("cuda.bulk.l2.read", "bulk copies from the L2", "bounds pipelines whose operands stay in the L2",
      from_cache);
  add("cuda.bulk.latency", "latency of a bulk copy", "how far ahead a pipeline must prefetch",
      one_after_another);
}

}  // namespace ridge::backends::probe_cuda
