// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <string>

#include "arithmetic/chains.hpp"
#include "arithmetic/fp64_chains.hpp"
#include "probe_lists.hpp"
#include "timing/best_variant.hpp"
#include "timing/instruction_bench.hpp"
#include "timing/issue_limits.hpp"

namespace ridge::backends::probe_cuda {
namespace {

using probe::depth, probe::request;
using rows = std::vector<model::ceiling>;

constexpr double long_run_s = 10;

std::function<double(int)> chain_of(instruction_bench& bench, const chain_work& work,
                                    const chain_shape& shape, bool zeros) {
  return [&bench, work, shape, zeros](int rounds) {
    return work.operations * run_chains(work.op, bench.call(rounds, zeros), shape);
  };
}

std::vector<variant> in_fp64(instruction_bench& bench) {
  std::vector<variant> ways;
  for (const auto& shape : fp64_chain_shapes) {
    const auto run = [&bench, shape](bool zeros) {
      return [&bench, shape, zeros](int rounds) {
        return 2 * run_fp64_chains(bench.call(rounds, zeros), shape);
      };
    };
    ways.push_back({std::string(shape.name), run(false), run(true)});
  }
  return ways;
}

// The variants to try. fp64 has additional ones from depth `standard` on.
std::vector<variant> ways_of(instruction_bench& bench, const chain_work& work, depth depth) {
  std::vector<variant> ways;
  if (work.op == chain_op::fma_fp64 && depth >= depth::standard) ways = in_fp64(bench);
  for (const auto& shape : chain_shapes)
    ways.push_back({std::string(shape.name), chain_of(bench, work, shape, false),
                    work.unit == "FLOP/s" ? chain_of(bench, work, shape, true) : nullptr});
  return ways;
}

model::ceiling named(const chain_work& work, std::string_view ending) {
  return {.id = "cuda." + std::string(work.id) + std::string(ending),
          .description = std::string(work.description),
          .unit = std::string(work.unit)};
}

model::ceiling dependent(instruction_bench& bench, const chain_work& work, const request& request) {
  auto row = named(work, ".latency");
  row.description += ", each dependent on its predecessor";
  row.variant = std::string(chain_alone.name);
  return as_latency(burst_rate(
      std::move(row), request,
      [&](int rounds) { return run_chains(work.op, bench.call(rounds), chain_alone); }, bench.timed(brief)));
}

rows measured(instruction_bench& bench, const chain_work& work, const request& request) {
  const auto ways = ways_of(bench, work, request.depth);
  auto row = best_variant(named(work, ""), request, ways, bench.log);
  if (row.value <= 0) return {};
  limit_issue(row, work.limited_by, bench.gpu.properties());
  if (request.depth >= depth::standard && (work.op == chain_op::fma_fp32 || work.op == chain_op::fma_fp64))
    (void)hold_up(row, request, std::ranges::find(ways, row.variant, &variant::name)->enqueue);
  rows found{std::move(row)};
  if (request.depth >= depth::standard) found.push_back(dependent(bench, work, request));
  if (request.depth == depth::deep && work.op == chain_op::fma_fp32) {
    found.push_back(sustained_rate(named(work, ".sustained"), request,
                                   chain_of(bench, work, chain_shapes.front(), false), long_run_s,
                                   bench.log));
    limit_issue(found.back(), work.limited_by, bench.gpu.properties());
  }
  return found;
}

depth first_depth(const chain_work& work) {
  if (work.op == chain_op::fma_fp32) return depth::essential;
  return work.op <= chain_op::imad ? depth::quick : depth::standard;
}

}  // namespace

void add_arithmetic_probes(probe_list& list, gpu_bench& device_bench) {
  const auto bench = std::make_shared<instruction_bench>(device_bench);
  for (const auto& work : chain_works)
    list.push_back({"cuda." + std::string(work.id), std::string(work.description),
                    work.op == chain_op::fma_fp32 ? "no fp32 code outside the matrix units does more"
                                                  : "bounds code that mostly does this",
                    first_depth(work),
                    [bench, work](const request& request) { return measured(*bench, work, request); }});
}

}  // namespace ridge::backends::probe_cuda
