// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <cstddef>
#include <memory>
#include <utility>

#include <ridge/base/error.hpp>
#include <ridge/gpu/check.hpp>
#include <ridge/harness/experiment.hpp>
#include <ridge/kernels/random_operands.hpp>
#include <ridge/vendor/planned_matmul.hpp>

#include "gemm_wgmma.hpp"

namespace ridge::experiments::ch10_gemm_wgmma {
namespace {

using vendor::planned_matmul;

bool is_zero(const workload& w) { return w.c.empty() || w.k == 0; }

void store_zeros(workload& w, call& c) {
  if (!w.c.empty())
    gpu::check(cudaMemsetAsync(w.c.data(), 0, w.c.size_bytes(), c.queue()), "cudaMemsetAsync of c");
}

// A body that enqueues what `plan` makes of the shape.
template <class Plan>
auto body_of(const workload& shape, const Plan& plan) {
  return [work = is_zero(shape) ? enqueued{} : plan(shape)](workload& w, call& c) {
    if (work) {
      work(c.queue());
    } else {
      store_zeros(w, c);
    }
  };
}

template <rung Step>
auto by(workload& shape, setup&) {
  return body_of(shape, [](const workload& w) { return product_by(Step, w); });
}

auto simt(workload&, setup&) {
  return [](workload& w, call& c) {
    if (is_zero(w)) return store_zeros(w, c);
    simt_product(w, c.queue());
  };
}

auto one_stage(workload& shape, setup&) { return body_of(shape, one_stage_product); }
auto planned(workload& shape, setup&) { return body_of(shape, planned_bf16); }

fp8_operands make_fp8(const workload& w, setup& s) {
  return {s.workspace<e4m3>(w.a.size()), s.workspace<e4m3>(w.b.size()),
          s.workspace<float>(2 * floats_a_scale)};
}

auto fp8(workload& shape, setup& s) {
  shape.own_fp8 = make_fp8(shape, s);
  return body_of(shape, planned_fp8);
}

// The vendor's product of a and b: the fastest of 32 algorithms on the samples, which hold random numbers.
std::shared_ptr<const planned_matmul> fastest(const workload& w, setup& s, vendor::matrix a, vendor::matrix b,
                                              const void* sample_a, const void* sample_b) {
  const auto plan =
      std::make_shared<planned_matmul>(vendor::product{.a = a,
                                                       .b = b,
                                                       .target = w.c.data(),
                                                       .pitch = w.n,
                                                       .target_type = CUDA_R_16BF,
                                                       .fast_accumulation = a.type == CUDA_R_8F_E4M3},
                                       s.workspace<std::byte>(vendor::workspace_bytes).data(), 32);
  plan->choose_fastest(s.queue(), sample_a, sample_b);
  return plan;
}

// A body that runs the vendor's product, or stores zeros where there is none.
auto vendors_body(std::shared_ptr<const planned_matmul> plan) {
  return [plan = std::move(plan)](workload& w, call& c) {
    if (plan) {
      (*plan)(c.queue());
    } else {
      store_zeros(w, c);
    }
  };
}

auto cublaslt_bf16(workload& w, setup& s) {
  std::shared_ptr<const planned_matmul> plan;
  if (!is_zero(w)) {
    const auto a = s.workspace<bf16>(w.a.size()), b = s.workspace<bf16>(w.b.size());
    kernels::randomize(a, s.queue()), kernels::randomize(b, s.queue());
    plan = fastest(w, s, vendor::matrix{w.a.data(), CUDA_R_16BF, w.m, w.k, w.pitch},
                   vendor::matrix{w.b.data(), CUDA_R_16BF, w.n, w.k, w.pitch, true}, a.data(), b.data());
  }
  return vendors_body(plan);
}

auto cublaslt_fp8(workload& w, setup& s) {
  if (w.m % 16 != 0)
    throw unavailable("an e4m3 product of these sizes in cuBLASLt", "choose a multiple of sixteen");
  const auto narrow_copy = w.vendors_fp8 = make_fp8(w, s);
  std::shared_ptr<const planned_matmul> plan;
  if (!is_zero(w)) {
    kernels::randomize(narrow_copy.a, s.queue()), kernels::randomize(narrow_copy.b, s.queue());
    plan = fastest(w, s,
                   vendor::matrix{narrow_copy.a.data(), CUDA_R_8F_E4M3, w.m, w.pitch, w.pitch, false,
                                  narrow_copy.scales.data()},
                   vendor::matrix{narrow_copy.b.data(), CUDA_R_8F_E4M3, w.n, w.pitch, w.pitch, true,
                                  narrow_copy.scales.data() + floats_a_scale},
                   narrow_copy.a.data(), narrow_copy.b.data());
  }
  return vendors_body(plan);
}

void stage_own(workload& w, setup& s) { narrow(w, w.own_fp8, s.queue()); }
void stage_vendors(workload& w, setup& s) { narrow(w, w.vendors_fp8, s.queue()); }

constexpr auto operands_stay = "weights and activations are kept in this type between layers";
constexpr auto matrix_units = "tensor cores multiply bf16 at fifteen times the rate of fp32 on plain cores";

// Six standard deviations of a sum of products whose operands are each wrong by at most 2^-4, as if evenly;
// for few terms the bound of a single product.
tolerance fp8_tolerance(const problem& p) {
  return {.abs = 6 * 0x1p-4 * std::sqrt(2.0 / 3 * p.real("size")), .rel = 2.5 * 0x1p-4};
}

const needs hopper{.architecture = "sm_90a"};

ladder<workload> own() {
  return {
      {.name = "simt",
       .is = role::baseline,
       .idea = "tiles in shared memory, sixteen sums a thread by fp32 multiply-adds",
       .run = simt,
       .arithmetic = arithmetic::bf16},
      {.name = "one_stage",
       .idea = "a warpgroup multiplies what a tensor map's copy brought, and waits for the next",
       .run = one_stage,
       .needs = hopper,
       .explanation = matrix_units,
       .arithmetic = arithmetic::bf16},
      {.name = "ring",
       .idea = "one thread copies ahead into a ring of four stages, two warpgroups multiply",
       .run = by<rung::ring>,
       .needs = hopper,
       .explanation = matrix_units,
       .arithmetic = arithmetic::bf16},
      {.name = "persistent",
       .idea = "blocks stay: the next tile is copied while sums are stored",
       .run = by<rung::persistent>,
       .needs = hopper,
       .explanation = matrix_units,
       .arithmetic = arithmetic::bf16},
      {.name = "cluster",
       .idea = "two blocks share each copy of b",
       .run = by<rung::cluster>,
       .needs = hopper,
       .explanation = matrix_units,
       .arithmetic = arithmetic::bf16},
      {.name = "tensor_map_store",
       .idea = "sums leave by stmatrix and tensor map; tiles in bands that fit the second-level cache",
       .run = by<rung::tensor_map_store>,
       .needs = hopper,
       .explanation = matrix_units,
       .arithmetic = arithmetic::bf16},
      {.name = "planned",
       .idea = "the tile and the order that a model of costs picks for the shape",
       .run = planned,
       .needs = hopper,
       .explanation = matrix_units,
       .arithmetic = arithmetic::bf16},
      {.name = "fp8",
       .idea = "the same in e4m3: half the bytes, twice the terms an instruction",
       .run = fp8,
       .needs = hopper,
       .stage = stage_own,
       .stage_reason = operands_stay,
       .within = fp8_tolerance,
       .explanation = matrix_units,
       .arithmetic = arithmetic::fp8},
  };
}

ladder<workload> vendors() {
  return {
      {.name = "cublaslt_bf16",
       .is = role::comparator,
       .idea = "the fastest of 32 algorithms that the vendor's heuristic proposes",
       .run = cublaslt_bf16,
       .needs = {.compute_capability = {8, 0}},
       .arithmetic = arithmetic::bf16},
      {.name = "cublaslt_fp8",
       .is = role::comparator,
       .idea = "the same in e4m3 with fast accumulation, as ours",
       .run = cublaslt_fp8,
       .needs = {.compute_capability = {8, 9}},
       .stage = stage_vendors,
       .stage_reason = operands_stay,
       .within = fp8_tolerance,
       .arithmetic = arithmetic::fp8},
  };
}

}  // namespace

ladder<workload> cuda() {
  auto all = own();
  for (auto& v : vendors()) all.push_back(std::move(v));
  return all;
}

}  // namespace ridge::experiments::ch10_gemm_wgmma
