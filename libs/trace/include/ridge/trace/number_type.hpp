// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace ridge::trace {

// The type of a tensor's elements. tf32 is stored as fp32 and multiplied by matrix units.
enum class number_type : std::uint8_t {
  unknown,
  fp64,
  fp32,
  tf32,
  bf16,
  fp16,
  fp8,
  fp4,
  i64,
  i32,
  i16,
  i8,
  boolean,
  complex128,
  complex64
};
inline constexpr int number_type_count = static_cast<int>(number_type::complex64) + 1;

[[nodiscard]] std::string_view name(number_type t);  // "bf16"
[[nodiscard]] double bytes_of(number_type t);        // bytes of one element; 0 for unknown, 0.5 for fp4

// Returns the type that a name means, as frameworks ("float", "Float", "c10::BFloat16", "c10::Float8_e4m3fn",
// "long int", "bfloat16"), catalogues of devices and vendors ("bf16", "tf32", "int8", "e4m3") and name()
// spell it; `unknown` for a name that is no tensor's type ("Scalar", "ScalarList", "").
[[nodiscard]] number_type number_type_of(std::string_view type_name);

}  // namespace ridge::trace
