// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

namespace ridge {

// The type that a variant multiplies in; it names the compute ceiling that applies. tf32 is fp32 cut to
// 10 bits of mantissa, which matrix units multiply and no array holds; fp8 is e4m3 or e5m2, at one rate.
enum class arithmetic : std::uint8_t { fp64, fp32, tf32, bf16, fp16, fp8, int8 };

// "fp64", "tf32", ...: the word in names of ceilings.
[[nodiscard]] std::string_view name(arithmetic type);
// Largest relative error of rounding to the type: 2^-p for p bits of significand (fp8 as e4m3; int8 by one
// scale).
[[nodiscard]] double unit_roundoff(arithmetic type);

// What a machine multiplies for each product of the definition: products of this type, as many of them. Six
// of bf16 can stand for one of fp32.
struct emulation {
  arithmetic type{arithmetic::fp32};
  double products = 1;
};

}  // namespace ridge
