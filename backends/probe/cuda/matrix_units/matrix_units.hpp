// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace ridge::backends::probe_cuda {

// Operand types of the matrix units. Sums are in fp32, those of int8 in int32; fp16_in_fp16 has fp16 sums.
enum class operand : std::uint8_t { bf16, fp16, tf32, fp8, int8, fp16_in_fp16 };
inline constexpr std::array operands{operand::bf16, operand::fp16, operand::tf32,
                                     operand::fp8,  operand::int8, operand::fp16_in_fp16};

// The last part of the ceiling's id: "bf16", "fp16.fp16acc".
[[nodiscard]] std::string_view name(operand type);

// The instruction that reaches a GPU's full rate: mma.sync, executed by a warp, or wgmma, executed by a
// warpgroup of four warps, which alone does so at compute capability 9.0.
enum class matrix_unit : std::uint8_t { none, warp, warpgroup };

// The unit for products of `type` at a compute capability. `none` where the GPU has no such product, and
// at 10.x and 11.x, where only tcgen05 reaches the full rate.
[[nodiscard]] matrix_unit unit_for(operand type, int cc_major, int cc_minor);

}  // namespace ridge::backends::probe_cuda
