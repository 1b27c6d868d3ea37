// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>

#include <ridge/base/result.hpp>

namespace ridge::plan {

// A storage format: the element and its scales.
struct number_format {
  std::string_view name{};          // "fp8_block"
  double element_bytes = 0;         // one element without scales
  double bytes_per_element = 0;     // one element with its share of the scales
  std::string_view compute_type{};  // type of the matrix products: "bf16", "fp8", "int8", "fp4"
  std::string_view description{};   // description: "fp8, one fp32 scale per block of 128 x 128"
};

// All formats: fp32, tf32, fp16, bf16, fp8 (one scale per tensor), fp8_block (an fp32 scale per 128 x 128
// block: 1 + 4/16384 bytes), int8, int4_g128 (AWQ and GPTQ: a 16-bit scale and a 4-bit zero per group of
// 128), int4_g32 (a 16-bit scale per group of 32), mxfp4 (e8m0 per block of 32: 0.53125 bytes), nvfp4 (e4m3
// per block of 16: 0.5625 bytes), fp4 (no scales), fp8_mla (vLLM's fp8_ds_mla: 656 bytes for 576 elements).
[[nodiscard]] std::span<const number_format> number_formats();

// Finds a format by its name or an alias ("float16", "half", "bfloat16", "e4m3", "fp4"). The error lists the
// nearest names.
[[nodiscard]] result<number_format> number_format_named(std::string_view name);

}  // namespace ridge::plan
