// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "precision_ladder.hpp"

namespace ridge::experiments::ch01_precision_ladder {

// Bits of bf16, rounded to nearest even.
void to_bf16(std::span<const float> source, std::span<std::uint16_t> target);

// Each row's largest magnitude becomes 127 steps of its scale; activations are shifted by 128.
void quantize(std::span<const float> source, std::int64_t row_length, const quantized<std::uint8_t>& target);
void quantize(std::span<const float> source, std::int64_t row_length, const quantized<std::int8_t>& target);

// To `target`, m×n, the values that sums of products of rows of a and b stand for; `zero` is what is still to be
// taken off each byte of a.
void dequantize(const int8_operands& operands, std::span<const std::int32_t> sums, std::int32_t zero,
                std::span<float> target);

}  // namespace ridge::experiments::ch01_precision_ladder
