// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>

#include <ridge/base/result.hpp>

namespace ridge::plan {

// How numbers are stored: the element and the scales that come with it.
struct number_format {
  std::string_view name{};          // "fp8_block"
  double element_bytes = 0;         // of one value alone
  double bytes_per_element = 0;     // with its share of the scales
  std::string_view compute_type{};  // whose peak products of such weights reach: "bf16", "fp8", "int8", "fp4"
  std::string_view what{};          // "fp8, one fp32 scale a block of 128 x 128"
};

// fp32 tf32 fp16 bf16 fp8 (one scale a tensor) fp8_block (fp32 a 128 x 128 block: 1 + 4/16384) int8 int4_g128
// (AWQ and GPTQ: 16-bit scale and 4-bit zero a group of 128) int4_g32 (16-bit scale a group of 32) mxfp4
// (e8m0 a block of 32: 0.53125) nvfp4 (e4m3 a block of 16: 0.5625) fp4 (no scales) fp8_mla (vLLM's
// fp8_ds_mla: 656 B for 576 elements).
[[nodiscard]] std::span<const number_format> number_formats();

// By name, or one of its other names ("float16", "half", "bfloat16", "e4m3", "fp4"). The error names the
// nearest.
[[nodiscard]] result<number_format> number_format_named(std::string_view name);

}  // namespace ridge::plan
