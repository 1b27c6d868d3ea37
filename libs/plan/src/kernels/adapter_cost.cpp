// SPDX-License-Identifier: Apache-2.0
#include <ridge/plan/kernels/adapter_cost.hpp>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include <ridge/plan/number_format.hpp>

#include "as_real.hpp"
#include "divided_up.hpp"

namespace ridge::plan::kernels {
namespace {

constexpr double adapter_element_bytes = 2, accumulator_bytes = 4;  // rows of the rank are kept in 32 bits

// Kernels of one kind in all layers.
struct adapter_kernel {
  double layers = 0, floor_s = 0;
  double seconds_per_adapter = 0;  // to read its matrix
  double traffic_s = 0;            // of one token's rows
  double compute_s = 0;            // of one token

  [[nodiscard]] double seconds(double tokens, double adapters) const {
    return layers *
           (std::max(tokens * compute_s, adapters * seconds_per_adapter + tokens * traffic_s) + floor_s);
  }
};

class kernel_sum final : public serve::adapter_timer {
 public:
  kernel_sum(std::vector<adapter_kernel> kernels, int stages)
      : kernels_(std::move(kernels)), stages_(stages) {}
  [[nodiscard]] double seconds(std::int64_t tokens, std::int64_t adapters) const override {
    if (tokens <= 0 || adapters <= 0) return 0;
    const auto own = as_real(divided_up(tokens, stages_));
    double all = 0;
    for (const auto& kernel : kernels_) all += kernel.seconds(own, std::min(as_real(adapters), own));
    return all;
  }

 private:
  std::vector<adapter_kernel> kernels_;
  int stages_;
};

// The products of one launch on one rank.
struct launch_sizes {
  double inputs = 0, outputs = 0, slices = 0;
  double a_elements = 0, b_elements = 0;
};

std::vector<launch_sizes> launches_of(const layer_shape& layer, std::int64_t hidden, adapter_targets targets,
                                      double ranks) {
  std::vector<launch_sizes> all;
  int last = -1;
  for (const auto& p : adapted_products(layer, hidden, targets)) {
    if (p.launch != last) all.emplace_back();
    last = p.launch;
    auto& one = all.back();
    one.inputs = std::max(one.inputs, p.a_elements(ranks));
    one.outputs += p.b_elements(ranks);
    one.slices += 1;
    one.a_elements += p.a_elements(ranks);
    one.b_elements += p.b_elements(ranks);
  }
  return all;
}

class kernel_maker {
 public:
  kernel_maker(const step_request& request, const kernel_times& kernels, double rank)
      : request_(request), kernels_(kernels), rank_(rank), byte_s_(seconds_of_a_byte()) {}

  void add(double layers, const launch_sizes& l) {
    const double narrow = rank_ * l.slices;
    made_.push_back(kernel_of(layers, l.inputs, narrow, rank_ * l.a_elements,
                              adapter_element_bytes * l.inputs + accumulator_bytes * narrow));
    // Outputs are read and written: the adapter's part is added to the product's.
    made_.push_back(kernel_of(layers, narrow / l.slices, l.outputs, rank_ * l.b_elements,
                              accumulator_bytes * narrow + 2 * adapter_element_bytes * l.outputs));
  }
  std::vector<adapter_kernel> take() { return std::move(made_); }

 private:
  [[nodiscard]] double seconds_of_a_byte() const {
    constexpr double large = 1e9;
    return kernels_.elementwise(large).memory_s / large / request_.scaling.bandwidth;
  }
  [[nodiscard]] adapter_kernel kernel_of(double layers, double k, double n, double elements,
                                         double row_bytes) const {
    constexpr std::int64_t many = 2048;
    static constexpr number_format sixteen_bit{"bf16", 2, 2, "bf16", "16 bit"};
    const auto time = kernels_.of(product{many, std::llround(n), std::llround(k), sixteen_bit});
    return {.layers = layers,
            .floor_s = time.floor_s,
            .seconds_per_adapter = adapter_element_bytes * elements * byte_s_,
            .traffic_s = row_bytes * byte_s_,
            .compute_s = time.compute_s / as_real(many) / request_.scaling.flop};
  }

  const step_request& request_;
  const kernel_times& kernels_;
  double rank_, byte_s_;
  std::vector<adapter_kernel> made_{};
};

}  // namespace

std::shared_ptr<const serve::adapter_timer> make_adapter_timer(const step_request& request,
                                                               const kernel_times& kernels,
                                                               const adapter_choice& adapters) {
  kernel_maker make(request, kernels, as_real(adapters.rank));
  const auto& m = request.model;
  for (std::size_t kind = 0; kind < m.kinds.size(); ++kind)
    for (const auto& l : launches_of(m.kinds[kind], m.hidden, adapters.targets, request.layout.tensor))
      make.add(as_real(m.layers_of(kind)), l);
  return std::make_shared<kernel_sum>(make.take(), request.layout.pipeline);
}

}  // namespace ridge::plan::kernels
