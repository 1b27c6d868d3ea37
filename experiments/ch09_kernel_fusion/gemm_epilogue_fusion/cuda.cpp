// SPDX-License-Identifier: Apache-2.0
#include <ridge/harness/experiment.hpp>
#include <ridge/kernels/library_product.hpp>

#include "gemm_epilogue_fusion.hpp"

namespace ridge::experiments::ch09_gemm_epilogue_fusion {
namespace {

// The product, then what follows it in kernels of their own.
enqueued finished_apart(const workload& w, const enqueued& product) {
  return [w, product](stream queue) {
    product(queue);
    launch_bias_gelu(w, queue);
    launch_largest(w, queue);
  };
}

// What `plan` returns, or the bias and the unit of zeros where there are no terms.
template <class Plan>
auto body_of(const workload& w, const Plan& plan) {
  const bool has_sums = !w.c.empty() && w.k > 0;
  return [all = has_sums ? plan() : finished_apart(w, kernels::zeros_in(kernels::operands_of(w)))](
             workload&, call& c) { all(c.queue()); };
}

auto three_kernels(workload& w, setup&) {
  return body_of(w, [&] { return finished_apart(w, product_alone(w)); });
}

template <enqueued Plan(const workload&)>
auto one_kernel(workload& w, setup&) {
  return body_of(w, [&] { return Plan(w); });
}

// The library returns a largest magnitude for targets of eight bits alone: here it takes a pass of ours.
auto cublaslt(workload& w, setup& s) {
  return body_of(w, [&]() -> enqueued {
    auto wanted = kernels::library_product(kernels::operands_of(w));
    wanted.epilogue = vendor::epilogue::bias_gelu;
    wanted.bias = w.bias.data();
    return [w, product = kernels::fastest_library_product(wanted, kernels::make_library_memory(w, s),
                                                          s.queue())](stream queue) {
      product(queue);
      launch_largest(w, queue);
    };
  });
}

// The product stored, read and stored again, and read once more for the largest magnitude.
double passes(const problem& p) {
  const double operands = 4 * p.real("size") * p.real("terms"), target = 2 * p.real("size") * p.real("size");
  return operands + target * (p.text("epilogue") == "bias_gelu" ? 3 : 4);
}

const needs hopper{.architecture = "sm_90a"};

}  // namespace

ladder<workload> cuda() {
  return {
      {.name = "three_kernels",
       .is = role::baseline,
       .idea = "the product, then bias and unit, then the largest magnitude",
       .run = three_kernels,
       .needs = hopper,
       .traffic = passes,
       .arithmetic = arithmetic::bf16},
      {.name = "fused",
       .idea = "the sums go through all three while they are in registers; both consumers make one tile",
       .run = one_kernel<fused>,
       .needs = hopper,
       .arithmetic = arithmetic::bf16},
      {.name = "fused_in_turns",
       .idea = "each consumer makes tiles of its own: while one works on its sums, the other multiplies",
       .run = one_kernel<fused_in_turns>,
       .needs = hopper,
       .arithmetic = arithmetic::bf16},
      {.name = "cublaslt",
       .is = role::comparator,
       .idea = "GELU_BIAS by the fastest of 32 algorithms that the heuristic proposes; the magnitude apart",
       .run = cublaslt,
       .needs = {.compute_capability = {8, 0}},
       .arithmetic = arithmetic::bf16},
  };
}

}  // namespace ridge::experiments::ch09_gemm_epilogue_fusion
