// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <utility>

#include <ridge/gpu/check.hpp>
#include <ridge/harness/experiment.hpp>
#include <ridge/kernels/random_operands.hpp>
#include <ridge/vendor/planned_matmul.hpp>

#include "gemm_epilogue_fusion.hpp"

namespace ridge::experiments::ch09_gemm_epilogue_fusion {
namespace {

bool has_sums(const workload& w) { return !w.c.empty() && w.k > 0; }

// What follows a product in kernels of its own; without terms all sums are zero.
void finish_apart(const workload& w, const enqueued& product, stream queue) {
  if (product) {
    product(queue);
  } else if (!w.c.empty()) {
    gpu::check(cudaMemsetAsync(w.c.data(), 0, w.c.size_bytes(), queue), "cudaMemsetAsync of c");
  }
  launch_bias_gelu(w, queue);
  launch_largest(w, queue);
}

auto three_kernels(workload& shape, setup&) {
  return [product = has_sums(shape) ? product_alone(shape) : enqueued{}](workload& w, call& c) {
    finish_apart(w, product, c.queue());
  };
}

template <enqueued Plan(const workload&)>
auto one_kernel(workload& shape, setup&) {
  return [all = has_sums(shape) ? Plan(shape) : enqueued{}](workload& w, call& c) {
    if (all) return all(c.queue());
    finish_apart(w, {}, c.queue());
  };
}

// The library returns a largest magnitude for targets of eight bits alone: here it takes a pass of ours.
auto cublaslt(workload& w, setup& s) {
  std::shared_ptr<vendor::planned_matmul> plan;
  if (has_sums(w)) {
    plan = std::make_shared<vendor::planned_matmul>(
        vendor::product{.a = {w.a.data(), CUDA_R_16BF, w.m, w.k, w.pitch},
                        .b = {w.b.data(), CUDA_R_16BF, w.n, w.k, w.pitch, true},
                        .target = w.c.data(),
                        .pitch = w.n,
                        .target_type = CUDA_R_16BF,
                        .epilogue = vendor::epilogue::bias_gelu,
                        .bias = w.bias.data()},
        s.workspace<std::byte>(vendor::workspace_bytes).data(), 32);
    const auto a = s.workspace<bf16>(w.a.size()), b = s.workspace<bf16>(w.b.size());
    kernels::randomize(a, s.queue()), kernels::randomize(b, s.queue());
    plan->choose_fastest(s.queue(), a.data(), b.data());
  }
  return [plan](workload& own, call& c) {
    if (!plan) return finish_apart(own, {}, c.queue());
    (*plan)(c.queue());
    launch_largest(own, c.queue());
  };
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
