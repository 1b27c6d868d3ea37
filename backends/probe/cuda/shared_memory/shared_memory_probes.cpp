// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <utility>

#include "probe_lists.hpp"
#include "shared_memory/shared_kernels.hpp"
#include "timing/best_variant.hpp"
#include "timing/instruction_bench.hpp"
#include "timing/issue_limits.hpp"

namespace ridge::backends::probe_cuda {
namespace {

using probe::depth, probe::request;
using rows = std::vector<model::ceiling>;

rows moved(instruction_bench& bench, const request& request, model::ceiling row, std::string_view kind,
           const std::function<double(int)>& enqueue) {
  row.unit = "B/s";
  row = burst_rate(std::move(row), request, enqueue, bench.timed());
  limit_issue(row, kind, bench.gpu.properties());
  return {std::move(row)};
}

rows shared_reading(instruction_bench& bench, const request& request) {
  return moved(
      bench, request,
      {.id = "cuda.shared.read", .description = "shared memory, 16 bytes a lane", .variant = "1024 threads"},
      "shared.bytes", [&](int rounds) { return read_shared(bench.call(rounds)); });
}

rows shared_writing(instruction_bench& bench, const request& request) {
  return moved(
      bench, request,
      {.id = "cuda.shared.write", .description = "shared memory, 16 bytes a lane", .variant = "1024 threads"},
      "shared.bytes", [&](int rounds) { return write_shared(bench.call(rounds)); });
}

rows reading_l1(instruction_bench& bench, const request& request) {
  return moved(bench, request,
               {.id = "cuda.l1.read",
                .description = "the L1, 16 bytes a lane",
                .variant = "1024 threads",
                .size_bytes = l1_bytes},
               "l1.bytes", [&](int rounds) { return read_l1(bench.call(rounds), bench.gpu.source()); });
}

// The rates of all strides; the row's value is the rate of stride 1.
rows reading_apart(instruction_bench& bench, const request& request) {
  model::ceiling row{.id = "cuda.shared.banks",
                     .description = "shared memory, words a stride apart",
                     .unit = "B/s",
                     .variant = "stride 1"};
  for (int stride = 1; stride <= most_stride; ++stride) {
    const auto one = burst_rate(
        {.unit = row.unit}, request,
        [&](int rounds) { return read_shared_apart(bench.call(rounds), stride); }, bench.timed(brief));
    if (stride == 1) row.value = one.value, row.ci = one.ci, row.clock_hz = one.clock_hz;
    row.series.push_back({"stride " + std::to_string(stride), one.value});
  }
  limit_issue(row, "shared.bytes", bench.gpu.properties());
  return {std::move(row)};
}

}  // namespace

void add_shared_memory_probes(probe_list& list, gpu_bench& device_bench) {
  const auto bench = std::make_shared<instruction_bench>(device_bench);
  const auto add = [&](std::string id, std::string title, std::string means, depth depth,
                       rows (*measure)(instruction_bench&, const request&)) {
    list.push_back({std::move(id), std::move(title), std::move(means), depth,
                    [bench, measure](const request& request) { return measure(*bench, request); }});
  };
  add("cuda.shared.read", "shared memory, read", "bounds kernels that work on tiles", depth::quick,
      shared_reading);
  add("cuda.shared.write", "shared memory, write", "bounds what fills tiles", depth::standard,
      shared_writing);
  add("cuda.shared.banks", "shared memory by stride", "what bank conflicts cost", depth::standard,
      reading_apart);
  add("cuda.l1.read", "L1, read", "bounds kernels whose data stays in the L1", depth::standard, reading_l1);
}

}  // namespace ridge::backends::probe_cuda
