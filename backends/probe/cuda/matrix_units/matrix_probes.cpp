// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <string>

#include <ridge/base/error.hpp>
#include <ridge/gpu/check.hpp>

#include "matrix_units/matrix_kernels.hpp"
#include "probe_lists.hpp"
#include "timing/best_variant.hpp"
#include "timing/instruction_bench.hpp"
#include "timing/issue_limits.hpp"

namespace ridge::backends::probe_cuda {
namespace {

using probe::depth, probe::request;
using rows = std::vector<model::ceiling>;

constexpr double matrix_run_s = 10;

// Throws failure where the first block's sums are not all numbers other than 0.
void expect_sums(instruction_bench& bench, const variant& way, const std::string& id) {
  gpu::check(cudaMemset(bench.gpu.target(), 0, block_threads * sizeof(float)),
             "cudaMemset of the probe's sums");
  (void)way.enqueue(1);
  std::array<float, block_threads> sums{};
  gpu::check(
      cudaMemcpy(sums.data(), bench.gpu.target(), std::span(sums).size_bytes(), cudaMemcpyDeviceToHost),
      "cudaMemcpy of the probe's sums");
  if (!std::ranges::all_of(sums, [](float x) { return std::isfinite(x) && x != 0; }))
    throw failure({id + ": the sums of products of random operands are 0 or not numbers",
                   "a fault of the GPU or of this build: run the tests (ctest -R probe_cuda)"});
}

std::vector<variant> by_warps(instruction_bench& bench, operand type) {
  const auto run = [&bench, type](bool zeros) {
    return [&bench, type, zeros](int rounds) { return multiply_by_warps(type, bench.call(rounds, zeros)); };
  };
  return {{"mma.sync", run(false), run(true)}};
}

std::vector<variant> by_warpgroups(instruction_bench& bench, operand type) {
  std::vector<variant> ways;
  for (const auto& shape : warpgroup_shapes) {
    const auto run = [&bench, type, shape](bool zeros) {
      return [&bench, type, shape, zeros](int rounds) {
        return multiply_by_warpgroups(type, bench.call(rounds, zeros), shape);
      };
    };
    ways.push_back({std::string(shape.name), run(false), run(true)});
  }
  return ways;
}

std::vector<variant> matrix_in_fp64(instruction_bench& bench) {
  std::vector<variant> ways;
  for (const auto& shape : fp64_shapes) {
    const auto run = [&bench, shape](bool zeros) {
      return [&bench, shape, zeros](int rounds) {
        return multiply_fp64_by_warps(bench.call(rounds, zeros), shape);
      };
    };
    ways.push_back({std::string(shape.name), run(false), run(true)});
  }
  return ways;
}

rows measured_matrix(instruction_bench& bench, const std::string& kind, std::string_view type,
                     const std::vector<variant>& ways, const request& request) {
  model::ceiling row{
      .id = "cuda." + kind,
      .description = std::string(type) + " products of random operands, in registers or shared memory",
      .unit = "FLOP/s"};
  auto best = best_variant(row, request, ways, bench.log);
  if (best.value <= 0) return {};
  const auto& way = *std::ranges::find(ways, best.variant, &variant::name);
  expect_sums(bench, way, row.id);
  // For the kind "mma_sync" the only known limit is that of the matrix units themselves.
  limit_issue(best, "mma." + std::string(type), bench.gpu.properties());
  if (request.depth >= depth::standard && kind.starts_with("mma.")) (void)hold_up(best, request, way.enqueue);
  rows found{std::move(best)};
  if (request.depth == depth::deep && kind.starts_with("mma.")) {
    row.id += ".sustained";
    row.variant = way.name;
    found.push_back(sustained_rate(row, request, way.enqueue, matrix_run_s, bench.log));
    limit_issue(found.back(), kind, bench.gpu.properties());
  }
  return found;
}

using ways_of_type = std::vector<variant> (*)(instruction_bench&, operand);

void add_products(probe_list& list, const shared_bench& bench, operand type, const std::string& kind,
                  depth depth, ways_of_type ways) {
  const std::string word(name(type));
  list.push_back({"cuda." + kind, word + " matrix units", "bounds products in " + word, depth,
                  [bench, type, word, kind, ways](const request& request) {
                    return measured_matrix(*bench, kind, word, ways(*bench, type), request);
                  }});
}

depth first_depth(operand type) {
  if (type == operand::fp16_in_fp16) return depth::standard;
  return type == operand::int8 ? depth::quick : depth::essential;
}

}  // namespace

void add_matrix_probes(probe_list& list, gpu_bench& device_bench) {
  const auto bench = std::make_shared<instruction_bench>(device_bench);
  for (const auto type : operands) {
    const auto unit = unit_for(type, device_bench.properties().major, device_bench.properties().minor);
    if (unit == matrix_unit::none) continue;
    add_products(list, bench, type, "mma." + std::string(name(type)), first_depth(type),
                 unit == matrix_unit::warp ? by_warps : by_warpgroups);
  }
  list.push_back({"cuda.mma.fp64", "fp64 matrix units", "bounds products in fp64", depth::quick,
                  [bench](const request& request) {
                    return measured_matrix(*bench, "mma.fp64", "fp64", matrix_in_fp64(*bench), request);
                  }});
  if (device_bench.properties().major != 9) return;
  for (const auto type : operands)
    if (type != operand::fp16_in_fp16)
      add_products(list, bench, type, "mma_sync." + std::string(name(type)), depth::standard, by_warps);
}

}  // namespace ridge::backends::probe_cuda
