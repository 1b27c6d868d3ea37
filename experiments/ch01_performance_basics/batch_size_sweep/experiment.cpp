// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <vector>

#include <ridge/mlp/captured_step.hpp>
#include <ridge/mlp/plain_layers.hpp>
#include <ridge/mlp/plain_step.hpp>

#include "batch_size_sweep.hpp"

namespace ridge::experiments::ch01_batch_size_sweep {
namespace {

constexpr std::size_t feature_count = 256;
constexpr std::size_t classes = 10;

mlp::shape model_of(const problem& p) { return {feature_count, p.count("hidden"), classes}; }

workload make_workload(const problem& p, memory& m) {
  const auto model = model_of(p);
  const auto rows = p.count("batch"), parameters = model.parameters();
  return {model, m.in<float>(product(rows, feature_count), normal{}),
          m.in<std::uint8_t>(rows, integers{classes}), m.in<float>(parameters, normal{0, 0.0625}),
          m.out<float>(parameters)};
}

ridge::work work_of(const problem& p) {
  const auto model = model_of(p);
  const auto rows = p.count("batch"), parameters = model.parameters();
  return ridge::work::streaming(
             reads<float>(rows, feature_count) + reads<std::uint8_t>(rows) + reads<float>(parameters),
             writes<float>(parameters))
      .with_flop(p.real("batch") * model.flop_per_sample() + 2 * as_real(parameters))
      .with_items(p.real("batch"));
}

void step_in_double(workload& w) {
  const std::vector<double> parameters(w.parameters.begin(), w.parameters.end());
  std::vector<double> gradient(parameters.size());
  mlp::reference_gradient(w.model, w.batch(), parameters, gradient);
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    w.updated[i] = as_float(parameters[i] - double{rate} * gradient[i]);
  }
}

// Rounding reaches a gradient through the forward pass's sums of `feature_count` products, whose weights are
// of size 1/16; as a mean over the batch it is no larger than for one row. It also decides whether a hidden
// unit within some 3e-7 of zero passes its error on, one unit of four million or so: beyond a thousand rows
// that happens, and changes a parameter by rate * 3.5 (the input) * 0.24 (the error) / batch at most.
tolerance within(const problem& p) {
  auto rounding = accumulation(feature_count, 0x1p-24, 1.0 / 32);
  const double batch = p.real("batch");
  if (batch >= 1024) rounding.abs += double{rate} * 3.5 * 0.24 / batch;
  return rounding;
}

using gradient_function = decltype(&mlp::plain_gradient);

class whole_batch {
 public:
  whole_batch(const workload& w, setup& s, gradient_function gradient_of)
      : gradient_of_(gradient_of),
        gradient_(s.workspace<float>(w.model.parameters())),
        scratch_(
            mlp::activations::in(w.model, w.labels.size(),
                                 s.workspace<float>(mlp::activations::floats(w.model, w.labels.size())))) {}

  void operator()(workload& w, call&) {
    gradient_of_(w.model, w.batch(), w.parameters, scratch_, gradient_);
    std::ranges::copy(w.parameters, w.updated.begin());
    mlp::descend(gradient_, rate, w.updated);
  }

 private:
  gradient_function gradient_of_;
  std::span<float> gradient_;
  mlp::activations scratch_;
};

// Takes the batch in blocks whose activations stay in the nearest caches. Each block's gradient is subtracted
// from the updated parameters as it is made, so that memory does not grow with the batch.
class row_blocks {
 public:
  static constexpr std::size_t block = 64;

  row_blocks(const workload& w, setup& s) {
    const auto rows = w.labels.size();
    auto* const scratch =
        s.workspace<float>(mlp::captured_step::scratch_floats(w.model, std::min(block, rows))).data();
    for (std::size_t from = 0; from < rows; from += block) {
      const float* base = from == 0 ? w.parameters.data() : w.updated.data();
      steps_.emplace_back(w.model, std::min(block, rows - from), rows, rate,
                          mlp::step_memory{w.parameters.data(), base, w.updated.data(), nullptr, scratch});
    }
  }

  void operator()(workload& w, call&) {
    if (steps_.empty()) std::ranges::copy(w.parameters, w.updated.begin());
    const float* features = w.features.data();
    const std::uint8_t* labels = w.labels.data();
    for (auto& step : steps_) {
      step.replay(features, labels);
      features += step.rows() * w.model.features;
      labels += step.rows();
    }
  }

 private:
  std::vector<mlp::captured_step> steps_{};
};

auto plain(workload& w, setup& s) { return whole_batch(w, s, mlp::plain_gradient); }
auto openblas(workload& w, setup& s) { return whole_batch(w, s, mlp::blas_gradient); }
auto blocked(workload& w, setup& s) { return row_blocks(w, s); }

ladder<workload> cpu() {
  return {
      {.name = "layer_by_layer",
       .is = role::baseline,
       .idea = "every layer passes over the whole batch and leaves its result in memory",
       .run = plain},
      {.name = "fused_blocks",
       .idea = "64 rows at a time go through fused operations that hold their sums in registers",
       .run = blocked},
      {.name = "openblas",
       .is = role::comparator,
       .idea = "layer by layer, with the matrix products by OpenBLAS",
       .run = openblas,
       .needs = {.library = "openblas"}},
  };
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
