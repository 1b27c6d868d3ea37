// SPDX-License-Identifier: Apache-2.0
#include "goodput_loop.hpp"

#include "records.hpp"

namespace ridge::experiments::ch01_goodput_loop {
namespace {

mlp::shape model_of(const problem& p) { return {features_per_record, p.count("hidden"), classes}; }

workload make_workload(const problem& p, memory& m) {
  const auto model = model_of(p);
  const auto parameters = model.parameters(), samples = p.count("samples");
  return {model,
          samples,
          m.file(product(samples, record_bytes), dtype::u8, filled_by{draw_records}),
          m.in<std::uint32_t>(1, random_bits{}),
          m.in<float>(parameters, normal{}),
          m.out<float>(parameters),
          m.out<float>(2)};
}

ridge::work work_of(const problem& p) {
  const auto model = model_of(p);
  return ridge::work::streaming(reads<std::byte>(p.count("samples"), record_bytes),
                                writes<float>(model.parameters()))
      .with_flop(p.real("samples") * model.flop_per_sample())
      .with_items(p.real("samples"));
}

// What the last losses of two variants may differ by; the check holds the gradient to its rounding.
constexpr tolerance between_variants{.abs = 0.15};

}  // namespace

experiment make() {
  return experiment_of<workload>{
      .id = "ch01.goodput_loop",
      .title = "Goodput of a training loop",
      .question = "What share of a training step is useful work?",
      .answers = {"performance_basics.py", "performance_basics_optimized.py", "K1.1", "K1.3", "B1.4"},
      .tags = {"training", "goodput", "loader", "batching"},
      .axes = {values("hidden", {48, 32}, {1, 17}), values("samples", {8192, 32768}, {0, 1, 31, 129, 300})},
      .make = make_workload,
      .work = work_of,
      .check = trains_as_the_reference,
      .within = between_variants,
      .metrics = {throughput("samples/s"), goodput(useful), time_per_call(), peak_memory()},
      .phases = {useful, read, decode, shuffle, allocate, wait, copy},
      .cpu = cpu,
      .cuda = cuda,
  };
}

}  // namespace ridge::experiments::ch01_goodput_loop
