// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>

#include <ridge/harness/workload.hpp>

namespace ridge {
struct bf16;
struct e4m3;
}  // namespace ridge

namespace ridge::experiments::ch09_fused_add_rmsnorm_quant {

inline constexpr float epsilon = 1e-5F;
inline constexpr float largest_e4m3 = 448;

// What a transformer does between two products, row by row: sum = x + residual, which the next layer adds to
// again; the sum over its root mean square, times a weight a column; and that in e4m3 with a scale a row,
// its largest magnitude becoming 448.
struct workload {
  std::size_t rows = 0, columns = 0;
  input<bf16> x{}, residual{}, weight{};
  output<bf16> sum{};
  output<e4m3> quantized{};
  output<float> scales{};
  std::span<float> wide_weight{};  // the weights in fp32, of the variant that wants them so
};

[[gnu::weak]] ladder<workload> cuda();
// Each enqueues kernels.cu's kernels on `queue`: the weights in fp32; the sum; the quantization of the rows
// of `normalized`; the three steps one after the other; all of them in a kernel that reads the sum twice; in
// one that keeps it in registers.
void launch_widen(const workload& w, std::span<float> target, stream queue);
void launch_add(const workload& w, stream queue);
void launch_quantize(const workload& w, std::span<const bf16> normalized, stream queue);
void launch_three(const workload& w, std::span<bf16> normalized, stream queue);
void launch_fused(const workload& w, stream queue);
void launch_resident(const workload& w, stream queue);

}  // namespace ridge::experiments::ch09_fused_add_rmsnorm_quant
