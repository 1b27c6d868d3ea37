// SPDX-License-Identifier: Apache-2.0
#include <string>

#include "best_variant.hpp"
#include "chains.hpp"
#include "instruction_bench.hpp"
#include "issue_limits.hpp"
#include "probe_lists.hpp"

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

std::vector<variant> ways_of(instruction_bench& bench, const chain_work& work) {
  std::vector<variant> ways;
  for (const auto& shape : chain_shapes)
    ways.push_back({std::string(shape.name), chain_of(bench, work, shape, false),
                    work.unit == "FLOP/s" ? chain_of(bench, work, shape, true) : nullptr});
  return ways;
}

model::ceiling named(const chain_work& work, std::string_view ending) {
  return {.id = "cuda." + std::string(work.id) + std::string(ending),
          .what = std::string(work.what),
          .unit = std::string(work.unit)};
}

model::ceiling dependent(instruction_bench& bench, const chain_work& work, const request& how) {
  auto row = named(work, ".latency");
  row.what += ", each on the one before";
  row.variant = std::string(chain_alone.name);
  return as_latency(burst_rate(
      std::move(row), how, [&](int rounds) { return run_chains(work.op, bench.call(rounds), chain_alone); },
      bench.timed(brief)));
}

rows measured(instruction_bench& bench, const chain_work& work, const request& how) {
  auto row = best_variant(named(work, ""), how, ways_of(bench, work), bench.log);
  if (row.value <= 0) return {};
  limit_issue(row, work.limited_by, bench.on.gpu());
  rows found{std::move(row)};
  if (how.how >= depth::standard) found.push_back(dependent(bench, work, how));
  if (how.how == depth::deep && work.op == chain_op::fma_fp32) {
    found.push_back(sustained_rate(named(work, ".sustained"), how,
                                   chain_of(bench, work, chain_shapes.front(), false), long_run_s,
                                   bench.log));
    limit_issue(found.back(), work.limited_by, bench.on.gpu());
  }
  return found;
}

depth from(const chain_work& work) {
  if (work.op == chain_op::fma_fp32) return depth::essential;
  return work.op <= chain_op::imad ? depth::quick : depth::standard;
}

}  // namespace

void add_arithmetic_probes(probe_list& to, gpu_bench& on) {
  const auto bench = std::make_shared<instruction_bench>(on);
  for (const auto& work : chain_works)
    to.push_back({"cuda." + std::string(work.id), std::string(work.what),
                  work.op == chain_op::fma_fp32 ? "no fp32 code outside the matrix units does more"
                                                : "bounds code that mostly does this",
                  from(work), [bench, work](const request& how) { return measured(*bench, work, how); }});
}

}  // namespace ridge::backends::probe_cuda
