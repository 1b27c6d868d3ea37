// SPDX-License-Identifier: Apache-2.0
#include "goodput_loop.hpp"

#include "records.hpp"

namespace ridge::experiments::ch01_goodput_loop {
namespace {

mlp::shape model_of(const problem& p) {
  return {features_per_record, static_cast<std::size_t>(p["hidden"]), classes};
}

workload make_workload(const problem& p, memory& m) {
  const auto model = model_of(p);
  const auto parameters = static_cast<std::int64_t>(model.parameters());
  const auto samples = p["samples"];
  const auto bytes = samples * static_cast<std::int64_t>(record_bytes);
  return {model,
          static_cast<std::size_t>(samples),
          m.file(bytes, dtype::u8, filled_by{draw_records}),
          m.in<std::uint32_t>(1, random_bits{}),
          m.in<float>(parameters, normal{}),
          m.out<float>(parameters),
          m.out<float>(2)};
}

ridge::work work_of(const problem& p) {
  const auto samples = static_cast<double>(p["samples"]);
  const auto model = model_of(p);
  return {.flop = samples * model.flop_per_sample(),
          .bytes_read = samples * static_cast<double>(record_bytes),
          .bytes_written = 4.0 * static_cast<double>(model.parameters()),
          .items = samples};
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
      .phases = {"useful", "read", "decode", "shuffle", "allocate", "wait", "copy"},
      .cpu = cpu,
      .cuda = cuda,
  };
}

}  // namespace ridge::experiments::ch01_goodput_loop
