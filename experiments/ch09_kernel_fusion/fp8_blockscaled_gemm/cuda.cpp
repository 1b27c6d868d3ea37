// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include <ridge/base/error.hpp>
#include <ridge/gpu/check.hpp>
#include <ridge/harness/experiment.hpp>
#include <ridge/kernels/bf16_product.hpp>
#include <ridge/kernels/random_operands.hpp>
#include <ridge/vendor/planned_matmul.hpp>

#include "fp8_blockscaled_gemm.hpp"

namespace ridge::experiments::ch09_fp8_blockscaled_gemm {
namespace {

bool is_zero(const workload& w) { return w.c.empty() || w.k == 0; }

auto body_of(enqueued work) {
  return [work = std::move(work)](workload& w, call& c) {
    if (work) return work(c.queue());
    if (!w.c.empty())
      gpu::check(cudaMemsetAsync(w.c.data(), 0, w.c.size_bytes(), c.queue()), "cudaMemsetAsync of c");
  };
}

auto in_bf16(workload& w, setup& s) {
  w.own = {s.workspace<bf16>(w.a.size()), s.workspace<bf16>(w.b.size())};
  return body_of(is_zero(w) ? enqueued{}
                            : kernels::planned_bf16_product({.a = w.own.a.data(),
                                                             .b = w.own.b.data(),
                                                             .c = w.c.data(),
                                                             .m = w.m,
                                                             .n = w.n,
                                                             .k = w.k,
                                                             .a_pitch = w.pitch,
                                                             .b_pitch = w.pitch,
                                                             .c_pitch = w.n}));
}

auto scaled_fp8(workload& w, setup&) { return body_of(is_zero(w) ? enqueued{} : planned_scaled(w)); }

auto swapped_split(workload& w, setup& s) {
  if (is_zero(w)) return body_of({});
  return body_of(
      planned_split(w, {s.workspace<float>(partial_floats()), s.workspace<std::uint32_t>(tiles_of(w))}));
}

auto cublaslt_blocks(workload& w, setup& s) {
  if (is_zero(w)) return body_of({});
  if (w.k != w.pitch || w.m % 16 != 0 || w.n % 16 != 0)
    throw unavailable("an e4m3 product of these sizes in cuBLASLt", "choose multiples of sixteen");
  const auto plan = std::make_shared<vendor::planned_matmul>(
      vendor::product{.a = {.data = w.a.data(),
                            .type = CUDA_R_8F_E4M3,
                            .rows = w.m,
                            .columns = w.k,
                            .pitch = w.pitch,
                            .scale = w.a_scales.data(),
                            .scaled = vendor::scale_of::block_of_row},
                      .b = {.data = w.b.data(),
                            .type = CUDA_R_8F_E4M3,
                            .rows = w.n,
                            .columns = w.k,
                            .pitch = w.pitch,
                            .transposed = true,
                            .scale = w.b_scales.data(),
                            .scaled = vendor::scale_of::block_of_rows},
                      .target = w.c.data(),
                      .pitch = w.n,
                      .target_type = CUDA_R_16BF},
      s.workspace<std::byte>(vendor::workspace_bytes).data(), 32);
  const auto a = s.workspace<e4m3>(w.a.size()), b = s.workspace<e4m3>(w.b.size());
  kernels::randomize(a, s.queue()), kernels::randomize(b, s.queue());
  plan->choose_fastest(s.queue(), a.data(), b.data());
  return body_of([plan](stream queue) { (*plan)(queue); });
}

void stage_wide(workload& w, setup& s) { widen(w, s.queue()); }

constexpr auto before_quantization = "a model that is not quantized keeps both operands in bf16";

// Six standard deviations of sums of products both of whose factors are rounded to bf16, by 0.16 % of each in
// the root mean square. Scales of 0.5 to 1.5 make the products of one block up to 2.25 times as large as
// normal numbers', those of many blocks 1.1 times.
tolerance of_rounded_operands(const problem& p) {
  const double terms = terms_of(p), blocks = std::ceil(terms / 128);
  const double size = 1.1 + 1.15 / std::sqrt(std::max(blocks, 1.0));
  return {.abs = 6 * 0.0023 * size * std::sqrt(terms), .rel = 0x1p-7};
}

// Tensor cores align the products of 32 terms of e4m3, up to 2^4, and cut them off 13 bits below the largest:
// six standard deviations of as many errors as a sum has such steps, and the result's rounding.
tolerance of_tensor_cores(const problem& p) {
  return {.abs = 6 * 0x1p-8 * std::sqrt(terms_of(p) / 32 + 1), .rel = 0x1p-7};
}
constexpr auto cut_off = "tensor cores keep about 13 bits below the largest product of a step in e4m3";

double wide_traffic(const problem& p) { return bytes_in_bf16(p); }

const needs hopper{.architecture = "sm_90a"};

}  // namespace

ladder<workload> cuda() {
  return {
      {.name = "bf16",
       .is = role::baseline,
       .idea = "both operands in bf16, the tile that a model of costs picks",
       .run = in_bf16,
       .needs = hopper,
       .stage = stage_wide,
       .stage_reason = before_quantization,
       .traffic = wide_traffic,
       .within = of_rounded_operands,
       .tolerance_reason = "operands times their scales are rounded to bf16",
       .arithmetic = arithmetic::bf16},
      {.name = "scaled_fp8",
       .idea = "tensor cores add the 128 terms of a scale; their sums are scaled and added in fp32 registers",
       .run = scaled_fp8,
       .needs = hopper,
       .within = of_tensor_cores,
       .tolerance_reason = cut_off,
       .arithmetic = arithmetic::fp8},
      {.name = "swapped_split",
       .idea = "weights are the rows of the instructions, tokens the columns; all multiprocessors get equal "
               "runs of steps",
       .run = swapped_split,
       .needs = hopper,
       .within = of_tensor_cores,
       .tolerance_reason = cut_off,
       .arithmetic = arithmetic::fp8},
      {.name = "cublaslt_blocks",
       .is = role::comparator,
       .idea = "cuBLASLt with the same scales of blocks, the fastest of 32 algorithms",
       .run = cublaslt_blocks,
       .needs = {.library = "cublaslt", .architecture = "sm_90a"},
       .within = of_tensor_cores,
       .tolerance_reason = cut_off,
       .arithmetic = arithmetic::fp8},
  };
}

}  // namespace ridge::experiments::ch09_fp8_blockscaled_gemm
