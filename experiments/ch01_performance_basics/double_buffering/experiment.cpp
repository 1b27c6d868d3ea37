// SPDX-License-Identifier: Apache-2.0
#include "double_buffering.hpp"

namespace ridge::experiments::ch01_double_buffering {
namespace {

ridge::work work_of(const problem& p) {
  const auto blocks = p.count("blocks");
  const double elements = p.real("blocks") * block_floats;
  // A square and its sum, the scaling, and two operations per term.
  return ridge::work::streaming(reads<float>(blocks, block_floats) + reads<std::uint32_t>(blocks),
                                writes<float>(blocks, block_floats))
      .with_flop(elements * (3 + 2 * p.real("terms")))
      .with_items(elements);
}

// The argument is at most 6/8 in size, so that a polynomial with coefficients below 1 stays below 4 and each
// step of Horner's rule damps the rounding of those before it: a few units in the last place of 4.
tolerance within(const problem&) { return {.abs = 8 * 4 * 0x1p-24}; }

}  // namespace

experiment make() {
  return experiment_of<workload>{
      .id = "ch01.double_buffering",
      .title = "Transfer hidden behind compute",
      .question = "How much transfer time hides behind compute with two buffers?",
      .answers = {"baseline_double_buffering.py", "optimized_double_buffering.py", "K11.2"},
      .tags = {"overlap", "pipeline", "threads"},
      .axes = {on_cuda(values("terms", {4, 1, 16, 64}, {0, 3}), {2048, 512, 8192}),
               on_cuda(values("blocks", {1 << 17}, {0, 1, 127, 128, 129, 500}), {1 << 18})},
      .make =
          [](const problem& p, memory& m) {
            const auto blocks = p.count("blocks"), floats = product(blocks, block_floats);
            return workload{m.in<float>(floats, normal{}), m.in<std::uint32_t>(blocks, permutation{}),
                            m.in<float>(p.count("terms"), uniform{-1, 1}), m.out<float>(floats)};
          },
      .work = work_of,
      .oracle = compute_in_double,
      .element = element_in_double,
      .within = within,
      .metrics = {time_per_call(), throughput("elements/s"), peak_memory()},
      .phases = {transfer, compute, wait},
      .cpu = cpu,
      .cuda = cuda,
  };
}

}  // namespace ridge::experiments::ch01_double_buffering
