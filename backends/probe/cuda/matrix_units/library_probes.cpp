// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <string>

#include <fmt/format.h>

#include <ridge/base/error.hpp>
#include <ridge/base/expects.hpp>
#include <ridge/gpu/check.hpp>
#include <ridge/vendor/cublaslt.hpp>

#include "matrix_units/library_product.hpp"
#include "probe_lists.hpp"
#include "timing/burst_clock.hpp"
#include "timing/burst_rate.hpp"

namespace ridge::backends::probe_cuda {
namespace {

using probe::depth, probe::request;
using rows = std::vector<model::ceiling>;

constexpr std::size_t quarter = array_floats / 4;  // 256 MiB, the size of the largest matrix

// The rate of two products by each algorithm, after one that is not timed.
std::vector<model::ceiling_point> rates_of_ways(const library_product& product) {
  std::vector<model::ceiling_point> rates;
  burst_clock watch;
  for (std::size_t way = 0; way < product.ways(); ++way) {
    double rate = 0;
    if (product.multiply(way)) {
      const auto seen = watch.time(
          [&](int rounds) {
            double done = 0;
            for (int i = 0; i < rounds; ++i) done += product.multiply(way) ? product.operations() : 0;
            return done;
          },
          2);
      rate = seen.work / seen.seconds;
    }
    rates.push_back({fmt::format("heuristic {}", way + 1), rate});
  }
  return rates;
}

rows measured_library(gpu_bench& bench, const library_type& type, const request& request) {
  const auto found = vendor::find_cublaslt();
  if (!found) throw failure(found.why());
  const auto matrix_bytes = type.operand_bytes * static_cast<std::size_t>(type.size * type.size);
  expects(matrix_bytes <= quarter * sizeof(float), "a matrix fits a quarter of an array");
  fill_operands(bench.source(), matrix_bytes, type.type);
  fill_operands(bench.source() + quarter, matrix_bytes, type.type);
  const library_product product(type, {.first = bench.source(),
                                       .second = bench.source() + quarter,
                                       .result = bench.target(),
                                       .workspace = bench.target() + 2 * quarter});
  model::ceiling row{
      .id = "cuda.blas." + std::string(type.name),
      .description = fmt::format("{} product of {}x{} matrices of random numbers, one after the other",
                                 type.name, type.size, type.size),
      .unit = "FLOP/s",
      .size_bytes = 2.0 * static_cast<double>(matrix_bytes)};
  row.series = rates_of_ways(product);
  const auto best = std::ranges::max_element(row.series, {}, &model::ceiling_point::value);
  const auto way = static_cast<std::size_t>(best - row.series.begin());
  row.variant = *found + ", " + best->place;
  const auto enqueue = [&](int rounds) {
    for (int i = 0; i < rounds; ++i)
      if (!product.multiply(way)) return 0.0;
    return rounds * product.operations();
  };
  const auto bursts = burst_rate({.unit = row.unit}, request, enqueue, brief);
  row.series.push_back({"bursts of 2 ms with rests", bursts.value});
  const auto held = hold_up(row, request, enqueue);
  row.value = held.value, row.ci = held.ci, row.clock_hz = held.clock_hz;
  gpu::check(cudaMemset(bench.source(), 0, array_bytes / 2), "cudaMemset of the operands");
  model::ceiling none{.unit = row.unit};
  row.zeros = hold_up(none, request, enqueue).value;
  return {std::move(row)};
}

}  // namespace

void add_library_probes(probe_list& list, gpu_bench& bench) {
  for (const auto& type : library_types) {
    if (type.type == element::fp8 &&
        (bench.properties().major < 8 || (bench.properties().major == 8 && bench.properties().minor < 9)))
      continue;
    const std::string word(type.name);
    list.push_back(
        {"cuda.blas." + word, word + " products by cuBLASLt", "what a tuned library reaches", depth::standard,
         [&bench, type](const request& request) { return measured_library(bench, type, request); }});
  }
}

}  // namespace ridge::backends::probe_cuda
