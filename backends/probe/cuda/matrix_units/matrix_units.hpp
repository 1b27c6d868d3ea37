// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace ridge::backends::probe_cuda {

// Types whose products the matrix units make, with sums in fp32, of int8 in int32, and once more of fp16 in
// fp16.
enum class operand : std::uint8_t { bf16, fp16, tf32, fp8, int8, fp16_in_fp16 };
inline constexpr std::array operands{operand::bf16, operand::fp16, operand::tf32,
                                     operand::fp8,  operand::int8, operand::fp16_in_fp16};

// "bf16", "fp16.fp16acc": what the ceiling's id ends with.
[[nodiscard]] std::string_view name(operand type);

// Whose instruction reaches a GPU's full rate: a warp's (mma.sync) or that of four warps (wgmma), which alone
// does so at compute capability 9.0.
enum class matrix_unit : std::uint8_t { none, warp, warpgroup };

// `none` where the GPU has no such product, and at 10.x and 11.x, whose rate only tcgen05 reaches.
[[nodiscard]] matrix_unit unit_for(operand type, int cc_major, int cc_minor);

}  // namespace ridge::backends::probe_cuda
