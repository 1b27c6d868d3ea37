// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include <ridge/harness/workload.hpp>

namespace ridge::experiments::ch01_precision_ladder {

// An operand in eight bits: a value is (byte - zero) * scale of its row, zero 128 for activations and 0 for
// weights.
template <class Byte>
struct quantized {
  std::span<Byte> bytes{};
  std::span<float> scales{};
  std::span<std::int32_t> sums{};  // sum of each row's bytes
};

struct int8_operands {
  quantized<std::uint8_t> a{};
  quantized<std::int8_t> b{};
};

struct bf16_operands {
  std::span<std::uint16_t> a{}, b{};
};

// Operands converted for the GPU's matrix instructions: rows filled up with zeros to whole tiles and whole
// stages, so that no kernel asks where the matrix ends.
inline constexpr std::int64_t padded_rows_to = 128;
inline constexpr std::int64_t padded_bytes_to = 128;  // row length becomes a multiple of it

[[nodiscard]] constexpr std::int64_t round_up(std::int64_t value, std::int64_t multiple) {
  return (value + multiple - 1) / multiple * multiple;
}

// Each scale stands on 16 bytes of its own: cuBLASLt from 12.9 on takes no other.
inline constexpr std::size_t floats_a_scale = 4;

struct padded_operands {
  std::span<std::byte> a{}, b{};  // round_up(rows, padded_rows_to) rows of `pitch` bytes
  // For an eight-bit type: the value of one step of a and, floats_a_scale further on, of b.
  std::span<float> scales{};
  std::int64_t pitch = 0;  // bytes
};

// Names the variant on the GPU that owns converted operands.
enum class copy_of : std::size_t {
  tf32,
  bf16,
  fp8,
  bf16_warpgroup,
  fp8_warpgroup,
  vendors_tf32,
  vendors_bf16,
  vendors_fp8,
  count
};

// c = a bᵀ: a m×k activations, b n×k weights, one row an output, row-major. Operands that a
// variant converts for itself stand beside.
struct workload {
  std::int64_t m = 0, n = 0, k = 0;
  input<float> a{};
  input<float> b{};
  output<float> c{};
  bf16_operands own_bf16{}, vendors_bf16{};
  int8_operands own_int8{}, vendors_int8{};
  std::array<padded_operands, static_cast<std::size_t>(copy_of::count)> padded{};
};

ladder<workload> cpu();
[[gnu::weak]] ladder<workload> cuda();

// In convert.cpp. Converts to the bits of bf16, rounded to nearest even.
void to_bf16(std::span<const float> source, std::span<std::uint16_t> target);

// Quantizes each row so that its largest magnitude becomes 127 steps of its scale; activations are shifted by
// 128.
void quantize(std::span<const float> source, std::int64_t row_length, const quantized<std::uint8_t>& target);
void quantize(std::span<const float> source, std::int64_t row_length, const quantized<std::int8_t>& target);

// Writes to `target`, m×n, the values that `sums`, products of rows of a and b, stand for. `zero` is what is
// still to be subtracted from each byte of a.
void dequantize(const int8_operands& operands, std::span<const std::int32_t> sums, std::int32_t zero,
                std::span<float> target);

// The narrower types of the GPU ladder. Conversion rounds to nearest, ties to even, as that of ridge/base.
struct tf32_bits {
  using type = std::uint32_t;
};
struct bf16_bits {
  using type = std::uint16_t;
};
struct e4m3_bits {
  using type = std::uint8_t;
};

// In product_fp32.cu. Enqueues c = a bᵀ in fp32 arithmetic, from the unconverted inputs. The functions below
// enqueue on `queue` as well.
void product_fp32(const workload& w, stream queue);

// In narrow.cu. Fills `target` from the inputs a and b; for e4m3 with one scale a matrix, its largest
// magnitude becoming 448.
template <class Type>
void narrow(const workload& w, const padded_operands& target, stream queue);

// In product_by_warps.cu: c = a bᵀ from converted operands by the matrix instruction of a warp (mma.sync),
// sums in fp32.
template <class Type>
void product_by_warps(const workload& w, const padded_operands& operands, stream queue);

// Throws unavailable where this GPU's part of the program was compiled for one without that instruction.
template <class Type>
void require_product_by_warps();

// In product_by_warpgroups.cu: the same product by the matrix instruction of four warps (wgmma), which reads
// both operands from shared memory. Compute capability 9.0.
template <class Type>
void product_by_warpgroups(const workload& w, const padded_operands& operands, stream queue);

}  // namespace ridge::experiments::ch01_precision_ladder
