// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include <ridge/harness/workload.hpp>

namespace ridge {
struct bf16;
}  // namespace ridge

namespace ridge::experiments::ch09_w4a16_gemm {

// int4: (code - 8) * bf16 scale of 128 terms. nvfp4: e2m1 code * e4m3 scale of 16 terms. mxfp4: e2m1 code *
// power of two (e8m0) of 32 terms.
enum class format : std::uint8_t { int4, nvfp4, mxfp4 };

#ifdef __CUDACC__
#define RIDGE_HOST_DEVICE __host__ __device__
#else
#define RIDGE_HOST_DEVICE
#endif
[[nodiscard]] RIDGE_HOST_DEVICE constexpr std::size_t terms_a_scale(format f) {
  return f == format::int4 ? 128 : f == format::nvfp4 ? 16 : 32;
}
[[nodiscard]] RIDGE_HOST_DEVICE constexpr std::size_t bytes_a_scale(format f) {
  return f == format::int4 ? 2 : 1;
}
#undef RIDGE_HOST_DEVICE

inline constexpr std::size_t group = 128;  // `terms` is a multiple of it

// Converted weights of a variant.
struct converted {
  std::span<bf16> wide{};         // rows x terms
  std::span<std::byte> packed{};  // as packed.hpp says
};

// c = a wᵀ: a, tokens x terms; c, tokens x rows; w, rows x terms, in four bits: two codes a byte, the first
// in the low half, and scales, row by row.
struct workload {
  format coding = format::int4;
  std::size_t tokens = 0, rows = 0, terms = 0;
  input<bf16> a{};
  input<std::uint8_t> codes{}, scales{};
  output<bf16> c{};
  converted own_wide{}, fragments{}, warpgroups{}, vendors{};
};

// The weight of `row` and `term`, exactly.
double weight_of(const workload& w, std::size_t row, std::size_t term);

ladder<workload> cpu();
[[gnu::weak]] ladder<workload> cuda();
// Tiles of 16 rows in a block of packed weights: of launch_fragments, as this GPU has them, and of
// launch_warpgroups.
unsigned fragment_block(const workload& w);
inline constexpr unsigned warpgroup_block = 16;
// Bytes of weights packed with so many tiles in a block.
std::size_t packed_bytes(const workload& w, unsigned block);
// Whether launch_fragments can multiply: the terms of its tokens fit the shared memory of a cluster.
bool fits_fragments(const workload& w);
// Each enqueues on `queue`: the weights rounded to bf16; the weights packed; the product of weights in bf16,
// a warp a row; the products of packed weights, by mma.sync for 16 tokens at once and by wgmma for 64.
void launch_widen(const workload& w, std::span<bf16> target, stream queue);
void launch_pack(const workload& w, unsigned block, std::span<std::byte> target, stream queue);
void launch_wide(const workload& w, stream queue);
void launch_fragments(const workload& w, stream queue);
void launch_warpgroups(const workload& w, stream queue);

}  // namespace ridge::experiments::ch09_w4a16_gemm
