// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include <ridge/harness/experiment.hpp>

#include "padded.hpp"

namespace ridge::experiments::ch01_precision_ladder {

// An operand in eight bits: a value is (byte - zero) * scale of its row, zero 128 for activations and 0 for
// weights.
template <class Byte>
struct quantized {
  std::span<Byte> bytes{};
  std::span<float> scales{};
  std::span<std::int32_t> sums{};  // of each row's bytes
};

struct int8_operands {
  quantized<std::uint8_t> a{};
  quantized<std::int8_t> b{};
};

struct bf16_operands {
  std::span<std::uint16_t> a{}, b{};
};

// Whose converted operands these are; on the GPU.
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

// c = a bᵀ: a m×k activations, b n×k weights, one row an output, row-major. What a variant converts for
// itself stands beside.
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

}  // namespace ridge::experiments::ch01_precision_ladder
