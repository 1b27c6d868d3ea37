// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <cstddef>
#include <utility>

#include <ridge/base/error.hpp>
#include <ridge/harness/experiment.hpp>
#include <ridge/kernels/library_product.hpp>

#include "gemm_wgmma.hpp"

namespace ridge::experiments::ch10_gemm_wgmma {
namespace {

template <enqueued Plan(const workload&)>
auto product(workload& w, setup&) {
  return kernels::product_body(w, [&] { return Plan(w); });
}

template <rung Step>
auto by(workload& w, setup&) {
  return kernels::product_body(w, [&] { return product_by(Step, w); });
}

auto simt(workload& shape, setup&) {
  return kernels::product_body(
      shape, [w = shape] { return enqueued{[w](stream queue) { simt_product(w, queue); }}; });
}

fp8_operands make_fp8(const workload& w, setup& s) {
  return {s.workspace<e4m3>(w.a.size()), s.workspace<e4m3>(w.b.size()),
          s.workspace<float>(2 * floats_a_scale)};
}

auto fp8(workload& w, setup& s) {
  w.own_fp8 = make_fp8(w, s);
  return kernels::product_body(w, [&] { return planned_fp8(w); });
}

// The same with operands in e4m3, their scales and sums that stay in the tensor cores.
vendor::product fp8_product(const workload& w, const fp8_operands& narrowed) {
  auto wanted = kernels::library_product(kernels::operands_of(w));
  wanted.a = {narrowed.a.data(), CUDA_R_8F_E4M3, w.m, w.pitch, w.pitch, false, narrowed.scales.data()};
  const float* const b_scale = narrowed.scales.data() + floats_a_scale;
  wanted.b = {narrowed.b.data(), CUDA_R_8F_E4M3, w.n, w.pitch, w.pitch, true, b_scale};
  wanted.fast_accumulation = true;
  return wanted;
}

auto cublaslt_fp8(workload& w, setup& s) {
  if (w.m % 16 != 0)
    throw unavailable("an e4m3 product of these sizes in cuBLASLt", "choose a multiple of sixteen");
  const auto own = w.vendors_fp8 = make_fp8(w, s);
  return kernels::product_body(w, [&]() -> enqueued {
    return kernels::fastest_library_product(
        fp8_product(w, own),
        kernels::library_memory<e4m3>{s.workspace<std::byte>(vendor::workspace_bytes), own.a, own.b},
        s.queue());
  });
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
       .run = product<one_stage_product>,
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
       .run = product<planned_bf16>,
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
       .run = kernels::fastest_library_body<workload, setup>,
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
