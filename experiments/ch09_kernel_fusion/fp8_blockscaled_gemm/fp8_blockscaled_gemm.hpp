// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

#include <ridge/base/element.hpp>
#include <ridge/harness/workload.hpp>

namespace ridge {
class problem;
}  // namespace ridge

namespace ridge::experiments::ch09_fp8_blockscaled_gemm {

inline constexpr std::int64_t block = 128;  // terms that share a scale

// Operands converted to bf16 with their scales.
struct widened {
  std::span<bf16> a{}, b{};
};

// c = a bᵀ, a m x k, activations, and b n x k, weights, row-major; c m x n in bf16. Rows of a and b begin
// `pitch` elements apart, a multiple of sixteen. A scale multiplies 128 terms of a row of a, or 128 rows by
// 128 terms of b. Scales of a lie in lines of all m rows, one line a block of terms; those of b in lines of
// `b_blocks`, a multiple of four, one line a block of rows.
struct workload {
  std::int64_t m = 0, n = 0, k = 0, pitch = 0, b_blocks = 0;
  input<e4m3> a{}, b{};
  input<float> a_scales{}, b_scales{};
  output<bf16> c{};
  widened own{};
};

// The scale of a's element, and of b's.
[[nodiscard]] inline float a_scale(const workload& w, std::int64_t row, std::int64_t term) {
  return w.a_scales[static_cast<std::size_t>(term / block * w.m + row)];
}
[[nodiscard]] inline float b_scale(const workload& w, std::int64_t row, std::int64_t term) {
  return w.b_scales[static_cast<std::size_t>(row / block * w.b_blocks + term / block)];
}

// Of the problem's shape: terms of a sum, and bytes of all operands in bf16.
[[nodiscard]] double terms_of(const problem& p);
[[nodiscard]] double bytes_in_bf16(const problem& p);

[[nodiscard]] ladder<workload> cpu();
[[gnu::weak]] ladder<workload> cuda();

using enqueued = std::function<void(stream)>;

// Where blocks that share a tile leave their sums, and how many of them have.
struct split_workspace {
  std::span<float> sums{};
  std::span<std::uint32_t> finished{};
};
[[nodiscard]] std::size_t partial_floats();
[[nodiscard]] std::size_t tiles_of(const workload& w);

// Each plans a product that has sums and terms; in kernels.cu. `widen` enqueues the conversion to bf16.
[[nodiscard]] enqueued planned_scaled(const workload& w);
[[nodiscard]] enqueued planned_split(const workload& w, const split_workspace& own);
void widen(const workload& w, stream queue);

}  // namespace ridge::experiments::ch09_fp8_blockscaled_gemm
