// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>

#include <ridge/harness/experiment.hpp>

#include "w4a16_gemm.hpp"

// What both backends state of variants that round the weights to bf16.
namespace ridge::experiments::ch09_w4a16_gemm {

inline constexpr auto constants = "weights are constants of a model, converted once";
inline constexpr auto rounded = "codes of int4 times their scales are rounded to bf16: 12 bits to 8";

// Six standard deviations of a sum of products of normal activations with the errors of the weights: these
// are 2^-4 in size, each wrong by 2^-9 of itself at most, as if spread evenly; and the result's own rounding.
inline tolerance of_rounded_weights(const problem& p) {
  return {.abs = 6 * 0x1p-13 * std::sqrt(p.real("groups") * double{group}), .rel = 0x1p-7};
}

}  // namespace ridge::experiments::ch09_w4a16_gemm
