// SPDX-License-Identifier: Apache-2.0
#include "batch_size_sweep.hpp"

#include <vector>

#include <ridge/mlp/plain_step.hpp>

namespace ridge::experiments::ch01_batch_size_sweep {
namespace {

constexpr std::size_t features = 256;
constexpr std::size_t classes = 10;

mlp::shape model_of(const problem& p) { return {features, p.count("hidden"), classes}; }

workload make_workload(const problem& p, memory& m) {
  const auto model = model_of(p);
  const auto rows = p.count("batch"), parameters = model.parameters();
  return {model, m.in<float>(product(rows, features), normal{}), m.in<std::uint8_t>(rows, integers{classes}),
          m.in<float>(parameters, normal{0, 0.0625}), m.out<float>(parameters)};
}

ridge::work work_of(const problem& p) {
  const auto model = model_of(p);
  const auto rows = p.count("batch"), parameters = model.parameters();
  return ridge::work::streaming(
             reads<float>(rows, features) + reads<std::uint8_t>(rows) + reads<float>(parameters),
             writes<float>(parameters))
      .with_flop(p.real("batch") * model.flop_per_sample() + 2 * as_real(parameters))
      .with_items(p.real("batch"));
}

void step_in_double(workload& w) {
  const std::vector<double> parameters(w.parameters.begin(), w.parameters.end());
  std::vector<double> gradient(parameters.size());
  mlp::reference_gradient(w.model, w.batch(), parameters, gradient);
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    w.updated[i] = static_cast<float>(parameters[i] - double{rate} * gradient[i]);
  }
}

// Rounding reaches a gradient through the forward pass's sums of `features` products, whose weights are of
// size 1/16; as a mean over the batch it is no larger than for one row. It also decides whether a hidden unit
// within some 3e-7 of zero passes its error on, one unit of four million or so: beyond a thousand rows that
// happens, and changes a parameter by rate * 3.5 (the input) * 0.24 (the error) / batch at most.
tolerance within(const problem& p) {
  auto rounding = accumulation(features, 0x1p-24, 1.0 / 32);
  const double batch = p.real("batch");
  if (batch >= 1024) rounding.abs += double{rate} * 3.5 * 0.24 / batch;
  return rounding;
}

}  // namespace

experiment make() {
  return experiment_of<workload>{
      .id = "ch01.batch_size_sweep",
      .title = "Throughput of a training step by batch size",
      .question = "Which batch fills the machine before memory runs out?",
      .answers = {"performance_basics_optimized.py"},
      .tags = {"training", "batching", "memory"},
      .axes = {on_cuda(values("batch", {1024, 512, 256, 128, 64, 32, 16, 8, 4, 2, 1}, {0, 3, 65, 127}),
                       {4096, 16384, 8192, 2048, 1024, 512, 256, 128, 64, 32}),
               values("hidden", {128}, {1, 17})},
      .make = make_workload,
      .work = work_of,
      .oracle = step_in_double,
      .within = within,
      .metrics = {throughput("samples/s"), time_per_call(), peak_memory()},
      .cpu = cpu,
      .cuda = cuda,
  };
}

}  // namespace ridge::experiments::ch01_batch_size_sweep
