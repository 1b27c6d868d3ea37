// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace ridge {

// Storage types of reduced precision: their bits and the conversions to and from float, laid out as CUDA's
// types of the same format (__nv_bfloat16, __half, __nv_fp8_e4m3, __nv_fp8_e5m2, __nv_fp4_e2m1 in the low
// four bits, __nv_fp8_e8m0).
// The conversion to float is exact. The conversion from float rounds to nearest, ties to even. Values beyond
// the range become what CUDA's constructors make of them:
//   bf16, fp16   infinity; NaN becomes 0x7FFF
//   e4m3, e5m2   saturate to +-448 and +-57344, infinities too; NaN becomes 0x7F
//   e2m1         saturates to +-6; NaN, which the format lacks, becomes +6
//   e8m0         a power of two for block scales: |x| rounded up, from 2^-127 to 2^127; NaN becomes 0xFF
// Formats: OCP 8-bit Floating Point Specification 1.0; OCP Microscaling Formats 1.0.
// The code uses integers only, is constexpr, has no branches where loops must vectorize, and may be called in
// device code.
namespace element {

// Returns the IEEE 754 single-precision bits of a float.
constexpr std::uint32_t bits_of(float x) { return __builtin_bit_cast(std::uint32_t, x); }
// Returns the float that has these bits.
constexpr float float_of(std::uint32_t bits) { return __builtin_bit_cast(float, bits); }
constexpr std::uint32_t nan_above = 0x7F800000;

// Returns 2^exponent for exponents from -126 to 127.
constexpr float power_of_two(int exponent) {
  return float_of(static_cast<std::uint32_t>(127 + exponent) << 23);
}

// Returns |x|, given by its bits as a float, as a code of `Mantissa` bits and an exponent with this bias; the
// exponent has no upper end here. Small magnitudes are added to a power of two whose last place is the
// smallest step of the format, so that the addition itself rounds.
template <int Mantissa, int Bias>
constexpr std::uint32_t encode(std::uint32_t magnitude) {
  constexpr int shift = 23 - Mantissa;
  const std::uint32_t even = (magnitude >> shift) & 1u;
  const std::uint32_t rounded = (magnitude + ((1u << (shift - 1)) - 1u) + even) >> shift;
  const std::uint32_t normal = rounded - (static_cast<std::uint32_t>(127 - Bias) << Mantissa);
  if constexpr (Bias == 127) return normal;
  constexpr float step = power_of_two(24 - Bias - Mantissa);
  const std::uint32_t small = bits_of(float_of(magnitude & 0x3FFFFFFFu) + step) - bits_of(step);
  return magnitude < bits_of(power_of_two(1 - Bias)) ? small : normal;
}

// Returns the magnitude that such a code stands for, exactly. The inverse of encode.
template <int Mantissa, int Bias>
constexpr float decode(std::uint32_t magnitude) {
  if constexpr (Bias == 127) return float_of(magnitude << (23 - Mantissa));
  const float small =
      static_cast<float>(static_cast<std::int32_t>(magnitude)) * power_of_two(1 - Bias - Mantissa);
  const std::uint32_t normal =
      (magnitude << (23 - Mantissa)) + (static_cast<std::uint32_t>(127 - Bias) << 23);
  return magnitude < (1u << Mantissa) ? small : float_of(normal);
}

// Returns `magnitude` with the sign bit set when `negative` is true.
constexpr float with_sign(float magnitude, bool negative) {
  return float_of(bits_of(magnitude) | (negative ? 0x80000000u : 0u));
}

// Returns the code of x: codes above `top` become `beyond`, NaN becomes `nan`, and the sign goes to bit
// number `sign`.
template <int Mantissa, int Bias>
constexpr std::uint32_t pack(float x, std::uint32_t top, std::uint32_t beyond, std::uint32_t nan, int sign) {
  const std::uint32_t magnitude = bits_of(x) & 0x7FFFFFFFu;
  const std::uint32_t code = encode<Mantissa, Bias>(magnitude);
  const std::uint32_t kept = (code > top ? beyond : code) | ((bits_of(x) >> 31) << sign);
  return magnitude > nan_above ? nan : kept;
}

}  // namespace element

// bfloat16: 8 exponent bits, 7 mantissa bits.
struct bf16 {
  std::uint16_t bits;
  bf16() = default;
  // Rounds a float to this format, as described at the top.
  explicit constexpr bf16(float x)
      : bits(static_cast<std::uint16_t>(element::pack<7, 127>(x, 0x7F80, 0x7F80, 0x7FFF, 15))) {}
  constexpr operator float() const { return element::float_of(static_cast<std::uint32_t>(bits) << 16); }
  // Returns the value that has these bits.
  static constexpr bf16 from_bits(std::uint16_t bits);
};

// IEEE 754 half precision: 5 exponent bits, 10 mantissa bits.
struct fp16 {
  std::uint16_t bits;
  fp16() = default;
  // Rounds a float to this format, as described at the top.
  explicit constexpr fp16(float x)
      : bits(static_cast<std::uint16_t>(element::pack<10, 15>(x, 0x7C00, 0x7C00, 0x7FFF, 15))) {}
  constexpr operator float() const {
    const std::uint32_t magnitude = bits & 0x7FFFu;
    const float beyond = element::float_of(0x7F800000u | ((magnitude & 0x3FFu) << 13));
    return element::with_sign(magnitude < 0x7C00u ? element::decode<10, 15>(magnitude) : beyond, bits >> 15);
  }
  // Returns the value that has these bits.
  static constexpr fp16 from_bits(std::uint16_t bits);
};

// 8-bit float with 4 exponent bits and 3 mantissa bits; it has NaN but no infinity.
struct e4m3 {
  std::uint8_t bits;
  e4m3() = default;
  // Rounds a float to this format, as described at the top.
  explicit constexpr e4m3(float x)
      : bits(static_cast<std::uint8_t>(element::pack<3, 7>(x, 0x7E, 0x7E, 0x7F, 7))) {}
  constexpr operator float() const {
    const std::uint32_t magnitude = bits & 0x7Fu;
    const float number = element::decode<3, 7>(magnitude);
    return element::with_sign(magnitude == 0x7F ? element::float_of(0x7FC00000u) : number, bits >> 7);
  }
  // Returns the value that has these bits.
  static constexpr e4m3 from_bits(std::uint8_t bits);
};

// 8-bit float with 5 exponent bits and 2 mantissa bits; it has infinities and NaN.
struct e5m2 {
  std::uint8_t bits;
  e5m2() = default;
  // Rounds a float to this format, as described at the top.
  explicit constexpr e5m2(float x)
      : bits(static_cast<std::uint8_t>(element::pack<2, 15>(x, 0x7B, 0x7B, 0x7F, 7))) {}
  constexpr operator float() const { return fp16::from_bits(static_cast<std::uint16_t>(bits << 8)); }
  // Returns the value that has these bits.
  static constexpr e5m2 from_bits(std::uint8_t bits);
};

// 4-bit float with 2 exponent bits and 1 mantissa bit, in the low bits of a byte; the four high bits are
// zero.
struct e2m1 {
  std::uint8_t bits;
  e2m1() = default;
  // Rounds a float to this format, as described at the top.
  explicit constexpr e2m1(float x) : bits(static_cast<std::uint8_t>(element::pack<1, 1>(x, 7, 7, 7, 3))) {}
  constexpr operator float() const {
    return element::with_sign(element::decode<1, 1>(bits & 7u), (bits >> 3) & 1u);
  }
  // Returns the value that has these bits.
  static constexpr e2m1 from_bits(std::uint8_t bits);
};

// A power of two in 8 exponent bits, without sign or mantissa: the scale of a block.
struct e8m0 {
  std::uint8_t bits;
  e8m0() = default;
  // Rounds the magnitude of a float up to a power of two, as described at the top.
  explicit constexpr e8m0(float x) : bits(exponent_of(element::bits_of(x) & 0x7FFFFFFFu)) {}
  constexpr operator float() const {
    const std::uint32_t normal = bits == 0xFF ? 0x7FC00000u : static_cast<std::uint32_t>(bits) << 23;
    return element::float_of(bits == 0 ? 0x00400000u : normal);
  }
  // Returns the value that has these bits.
  static constexpr e8m0 from_bits(std::uint8_t bits);

 private:
  static constexpr std::uint8_t exponent_of(std::uint32_t magnitude) {
    if (magnitude > element::nan_above) return 0xFF;
    const std::uint32_t up = magnitude > 0x00400000u ? (magnitude + 0x007FFFFFu) >> 23 : 0u;
    return static_cast<std::uint8_t>(up < 0xFEu ? up : 0xFEu);
  }
};

namespace element {
// Returns a T whose member `bits` is the argument; what from_bits() of every type does.
template <class T, class Bits>
constexpr T of_bits(Bits bits) {
  T made(0.0f);
  made.bits = bits;
  return made;
}
}  // namespace element

constexpr bf16 bf16::from_bits(std::uint16_t bits) { return element::of_bits<bf16>(bits); }
constexpr fp16 fp16::from_bits(std::uint16_t bits) { return element::of_bits<fp16>(bits); }
constexpr e4m3 e4m3::from_bits(std::uint8_t bits) { return element::of_bits<e4m3>(bits); }
constexpr e5m2 e5m2::from_bits(std::uint8_t bits) { return element::of_bits<e5m2>(bits); }
constexpr e2m1 e2m1::from_bits(std::uint8_t bits) { return element::of_bits<e2m1>(bits); }
constexpr e8m0 e8m0::from_bits(std::uint8_t bits) { return element::of_bits<e8m0>(bits); }

}  // namespace ridge
