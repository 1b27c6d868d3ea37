// SPDX-License-Identifier: Apache-2.0
#include "batch_size_sweep.hpp"

#include <algorithm>
#include <vector>

#include <ridge/mlp/captured_step.hpp>
#include <ridge/mlp/plain_layers.hpp>
#include <ridge/mlp/plain_step.hpp>

namespace ridge::experiments::ch01_batch_size_sweep {
namespace {

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

// The batch in blocks whose activations stay in the nearest caches; each block's gradient is taken off the
// updated parameters as it is made, so that memory does not grow with the batch.
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

}  // namespace

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

}  // namespace ridge::experiments::ch01_batch_size_sweep
