// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <utility>

#include <ridge/base/error.hpp>
#include <ridge/gpu/check.hpp>
#include <ridge/harness/experiment.hpp>
#include <ridge/vendor/planned_matmul.hpp>

#include "precision_ladder.hpp"

namespace ridge::experiments::ch01_precision_ladder {
namespace {

using vendor::planned_matmul;

// Six standard deviations of a sum of `size` products of normal numbers, each operand wrong by at most the
// type's unit roundoff u, as if spread evenly; for few terms the bound of a single product, 2 u and a little.
tolerance_rule rounded_operands(double u) {
  return [u](const problem& p) {
    return tolerance{.abs = 6 * u * std::sqrt(2.0 / 3 * p.real("size")), .rel = 2.5 * u};
  };
}
const tolerance_rule tf32_tolerance = rounded_operands(0x1p-11);
const tolerance_rule bf16_tolerance = rounded_operands(0x1p-8);
const tolerance_rule fp8_tolerance = rounded_operands(0x1p-4);

std::function<double(const problem&)> operand_bytes(double each) {
  return [each](const problem& p) {
    const auto rows = p.real("rows"), size = p.real("size");
    return each * (rows + size) * size + 4 * rows * size;
  };
}

padded_operands& copy_in(workload& w, copy_of which) { return w.padded[static_cast<std::size_t>(which)]; }

template <class Type>
padded_operands make_copy(const workload& w, setup& s) {
  constexpr auto element_bytes = as_integer(sizeof(typename Type::type));
  const auto pitch = round_up(w.k * element_bytes, padded_bytes_to);
  const auto bytes = [&](std::int64_t rows) { return as_count(round_up(rows, padded_rows_to) * pitch); };
  return {s.workspace<std::byte>(bytes(w.m)), s.workspace<std::byte>(bytes(w.n)),
          s.workspace<float>(element_bytes == 1 ? 2 * floats_a_scale : 0), pitch};
}

template <class Type, copy_of Which>
void stage(workload& w, setup& s) {
  narrow<Type>(w, copy_in(w, Which), s.queue());
}

template <class Type, copy_of Which>
auto by_warps(workload& shape, setup& s) {
  require_product_by_warps<Type>();
  copy_in(shape, Which) = make_copy<Type>(shape, s);
  return [](workload& w, call& c) { product_by_warps<Type>(w, copy_in(w, Which), c.queue()); };
}

template <class Type, copy_of Which>
auto by_warpgroups(workload& shape, setup& s) {
  copy_in(shape, Which) = make_copy<Type>(shape, s);
  return [](workload& w, call& c) { product_by_warpgroups<Type>(w, copy_in(w, Which), c.queue()); };
}

// The vendor's product of converted operands. Where c does not suit it, as it must for eight-bit types, the
// padded product goes beside and is copied out.
class vendors_product {
 public:
  vendors_product(const workload& w, setup& s, const padded_operands& operands, cudaDataType type,
                  std::int64_t element_bytes, cublasComputeType_t compute) {
    if (w.c.empty() || w.k == 0) return;
    const bool direct =
        w.m % 16 == 0 && w.n % 16 == 0 && reinterpret_cast<std::uintptr_t>(w.c.data()) % 16 == 0;
    const auto rows = direct ? w.m : round_up(w.m, padded_rows_to);
    const auto columns = direct ? w.n : round_up(w.n, padded_rows_to);
    if (!direct) {
      padded_ = s.workspace<float>(as_count(rows * columns)).data();
      padded_columns_ = columns;
    }
    const auto depth = operands.pitch / element_bytes;
    const float* scales = operands.scales.empty() ? nullptr : operands.scales.data();
    plan_ = std::make_unique<planned_matmul>(
        vendor::product{.a = {operands.a.data(), type, rows, depth, depth, false, scales},
                        .b = {operands.b.data(), type, columns, depth, depth, true,
                              scales ? scales + floats_a_scale : nullptr},
                        .target = direct ? w.c.data() : padded_,
                        .pitch = columns,
                        .compute = compute,
                        .fast_accumulation = element_bytes == 1},
        s.workspace<std::byte>(vendor::workspace_bytes).data());
  }

  void operator()(workload& w, call& c) const {
    if (w.c.empty()) return;
    if (!plan_) {
      gpu::check(cudaMemsetAsync(w.c.data(), 0, w.c.size_bytes(), c.queue()), "cudaMemsetAsync of c");
      return;
    }
    (*plan_)(c.queue());
    if (!padded_) return;
    const auto row_bytes = as_count(w.n) * sizeof(float);
    gpu::check(cudaMemcpy2DAsync(w.c.data(), row_bytes, padded_, as_count(padded_columns_) * sizeof(float),
                                 row_bytes, as_count(w.m), cudaMemcpyDeviceToDevice, c.queue()),
               "cudaMemcpy2DAsync of the padded product");
  }

 private:
  float* padded_ = nullptr;
  std::int64_t padded_columns_ = 0;
  std::unique_ptr<planned_matmul> plan_{};
};

template <class Type, copy_of Which, cudaDataType As, cublasComputeType_t Compute = CUBLAS_COMPUTE_32F>
auto cublaslt(workload& shape, setup& s) {
  copy_in(shape, Which) = make_copy<Type>(shape, s);
  return vendors_product(shape, s, copy_in(shape, Which), As, sizeof(typename Type::type), Compute);
}

auto cublaslt_fp32(workload& w, setup& s) {
  std::unique_ptr<planned_matmul> plan;
  if (!w.c.empty()) {
    plan =
        std::make_unique<planned_matmul>(vendor::product{.a = {w.a.data(), CUDA_R_32F, w.m, w.k, w.k},
                                                         .b = {w.b.data(), CUDA_R_32F, w.n, w.k, w.k, true},
                                                         .target = w.c.data(),
                                                         .pitch = w.n},
                                         s.workspace<std::byte>(vendor::workspace_bytes).data());
  }
  return [plan = std::move(plan)](workload&, call& c) {
    if (plan) (*plan)(c.queue());
  };
}

// Why gains over fp32 exceed ten times.
constexpr auto matrix_units =
    "matrix units multiply this type at 15 to 30 times the rate of fp32 on plain cores";

// Why the conversion of the operands is not counted.
constexpr auto operands_stay = "weights and activations are kept in this type between layers";

ladder<workload> own() {
  return {
      {.name = "fp32",
       .is = role::baseline,
       .idea = "one product an instruction and thread, 8 x 8 sums a thread in registers",
       .run = enqueues(product_fp32)},
      {.name = "tf32",
       .idea = "matrix instructions of a warp on fp32 cut to 10 bits of mantissa",
       .run = by_warps<tf32_bits, copy_of::tf32>,
       .needs = {.compute_capability = {8, 0}},
       .stage = stage<tf32_bits, copy_of::tf32>,
       .stage_reason = operands_stay,
       .within = tf32_tolerance,
       .arithmetic = arithmetic::tf32},
      {.name = "bf16",
       .idea = "half the bytes and twice the terms an instruction, sums in fp32",
       .run = by_warps<bf16_bits, copy_of::bf16>,
       .needs = {.compute_capability = {8, 0}},
       .stage = stage<bf16_bits, copy_of::bf16>,
       .stage_reason = operands_stay,
       .traffic = operand_bytes(2),
       .within = bf16_tolerance,
       .arithmetic = arithmetic::bf16},
      {.name = "fp8",
       .idea = "a quarter of the bytes: e4m3 with one scale a matrix, sums in fp32",
       .run = by_warps<e4m3_bits, copy_of::fp8>,
       .needs = {.compute_capability = {8, 9}},
       .stage = stage<e4m3_bits, copy_of::fp8>,
       .stage_reason = operands_stay,
       .traffic = operand_bytes(1),
       .within = fp8_tolerance,
       .arithmetic = arithmetic::fp8},
      {.name = "bf16_wgmma",
       .idea = "the matrix instruction of four warps, which reads operands from shared memory itself",
       .run = by_warpgroups<bf16_bits, copy_of::bf16_warpgroup>,
       .needs = {.architecture = "sm_90a"},
       .stage = stage<bf16_bits, copy_of::bf16_warpgroup>,
       .stage_reason = operands_stay,
       .traffic = operand_bytes(2),
       .within = bf16_tolerance,
       .explanation = matrix_units,
       .arithmetic = arithmetic::bf16},
      {.name = "fp8_wgmma",
       .idea = "the same on e4m3, the only way to its full rate here",
       .run = by_warpgroups<e4m3_bits, copy_of::fp8_warpgroup>,
       .needs = {.architecture = "sm_90a"},
       .stage = stage<e4m3_bits, copy_of::fp8_warpgroup>,
       .stage_reason = operands_stay,
       .traffic = operand_bytes(1),
       .within = fp8_tolerance,
       .explanation = matrix_units,
       .arithmetic = arithmetic::fp8},
  };
}

ladder<workload> vendors() {
  return {
      {.name = "cublaslt_fp32", .is = role::comparator, .idea = "the vendor's in fp32", .run = cublaslt_fp32},
      {.name = "cublaslt_tf32",
       .is = role::comparator,
       .idea = "the vendor's on tf32",
       .run = cublaslt<tf32_bits, copy_of::vendors_tf32, CUDA_R_32F, CUBLAS_COMPUTE_32F_FAST_TF32>,
       .needs = {.compute_capability = {8, 0}},
       .stage = stage<tf32_bits, copy_of::vendors_tf32>,
       .stage_reason = operands_stay,
       .within = tf32_tolerance,
       .arithmetic = arithmetic::tf32},
      {.name = "cublaslt_bf16",
       .is = role::comparator,
       .idea = "the vendor's on bf16",
       .run = cublaslt<bf16_bits, copy_of::vendors_bf16, CUDA_R_16BF>,
       .needs = {.compute_capability = {8, 0}},
       .stage = stage<bf16_bits, copy_of::vendors_bf16>,
       .stage_reason = operands_stay,
       .traffic = operand_bytes(2),
       .within = bf16_tolerance,
       .arithmetic = arithmetic::bf16},
      {.name = "cublaslt_fp8",
       .is = role::comparator,
       .idea = "the vendor's on e4m3, sums left in the matrix unit as ours are (fast accumulation)",
       .run = cublaslt<e4m3_bits, copy_of::vendors_fp8, CUDA_R_8F_E4M3>,
       .needs = {.compute_capability = {8, 9}},
       .stage = stage<e4m3_bits, copy_of::vendors_fp8>,
       .stage_reason = operands_stay,
       .traffic = operand_bytes(1),
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

}  // namespace ridge::experiments::ch01_precision_ladder
