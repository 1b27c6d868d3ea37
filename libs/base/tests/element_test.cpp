// SPDX-License-Identifier: Apache-2.0
#include <ridge/base/element.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace ridge {
namespace {

// A format by its definition, from which the test derives every value without the code under test.
struct format {
  int exponent_bits, mantissa_bits, bias;
  std::uint32_t top;       // code of the greatest finite magnitude
  std::uint32_t overflow;  // code of what lies beyond it
  std::uint32_t nan;       // code that NaN becomes
  [[nodiscard]] std::uint32_t sign() const { return 1u << (exponent_bits + mantissa_bits); }
};

template <class T>
struct traits;
template <>
struct traits<bf16> {
  static constexpr format layout{8, 7, 127, 0x7F7F, 0x7F80, 0x7FFF};
};
template <>
struct traits<fp16> {
  static constexpr format layout{5, 10, 15, 0x7BFF, 0x7C00, 0x7FFF};
};
template <>
struct traits<e4m3> {
  static constexpr format layout{4, 3, 7, 0x7E, 0x7E, 0x7F};
};
template <>
struct traits<e5m2> {
  static constexpr format layout{5, 2, 15, 0x7B, 0x7B, 0x7F};
};
template <>
struct traits<e2m1> {
  static constexpr format layout{2, 1, 1, 0x7, 0x7, 0x7};
};

// Magnitude of a code, as if the exponent had no reserved values.
double value_of(const format& f, std::uint32_t code) {
  const auto mantissa = static_cast<int>(code & ((1u << f.mantissa_bits) - 1));
  const auto exponent = static_cast<int>(code >> f.mantissa_bits);
  const int hidden = exponent == 0 ? 0 : 1 << f.mantissa_bits;
  return std::ldexp(hidden + mantissa, std::max(exponent, 1) - f.bias - f.mantissa_bits);
}

// Code of the number nearest to x by search; the sum of two neighbours is exact in double, and so is 2x.
std::uint32_t nearest_code(const format& f, double x) {
  const double magnitude = std::fabs(x);
  std::uint32_t low = 0, high = f.top + 1;
  while (high - low > 1) {
    const std::uint32_t middle = (low + high) / 2;
    (value_of(f, middle) <= magnitude ? low : high) = middle;
  }
  const double twice = 2 * magnitude, both = value_of(f, low) + value_of(f, low + 1);
  const std::uint32_t code = twice > both || (twice == both && low % 2 == 1) ? low + 1 : low;
  return (code > f.top ? f.overflow : code) | (std::signbit(x) ? f.sign() : 0u);
}

template <class T>
class element_type : public testing::Test {};
using all_types = testing::Types<bf16, fp16, e4m3, e5m2, e2m1>;
TYPED_TEST_SUITE(element_type, all_types);

TYPED_TEST(element_type, every_finite_pattern_has_its_value_and_comes_back) {
  constexpr format f = traits<TypeParam>::layout;
  for (std::uint32_t code = 0; code <= f.top; ++code) {
    for (const std::uint32_t sign : {0u, f.sign()}) {
      const auto x = TypeParam::from_bits(static_cast<decltype(TypeParam::bits)>(code | sign));
      const float value = x;
      ASSERT_EQ(std::fabs(value), value_of(f, code)) << code;
      ASSERT_EQ(std::signbit(value), sign != 0) << code;
      ASSERT_EQ(TypeParam(value).bits, x.bits) << code;
    }
  }
}

TYPED_TEST(element_type, rounds_to_nearest_and_ties_to_even_around_every_midpoint) {
  constexpr format f = traits<TypeParam>::layout;
  for (std::uint32_t code = 0; code <= f.top; ++code) {
    const double middle = (value_of(f, code) + value_of(f, code + 1)) / 2;
    if (middle > std::numeric_limits<float>::max()) continue;
    const auto at = static_cast<float>(middle);
    for (const float x : {std::nextafter(at, 0.0f), at, std::nextafter(at, HUGE_VALF)}) {
      ASSERT_EQ(TypeParam(x).bits, nearest_code(f, x)) << x;
      ASSERT_EQ(TypeParam(-x).bits, nearest_code(f, -x)) << -x;
    }
  }
}

TYPED_TEST(element_type, agrees_with_the_search_on_random_floats) {
  constexpr format f = traits<TypeParam>::layout;
  std::mt19937 bits(7);
  for (int i = 0; i < 200'000; ++i) {
    const float x = __builtin_bit_cast(float, static_cast<std::uint32_t>(bits()));
    if (!std::isfinite(x)) continue;
    ASSERT_EQ(TypeParam(x).bits, nearest_code(f, x)) << x;
  }
}

TYPED_TEST(element_type, the_range_ends_as_documented) {
  constexpr format f = traits<TypeParam>::layout;
  constexpr float infinity = std::numeric_limits<float>::infinity(), most = std::numeric_limits<float>::max();
  EXPECT_EQ(TypeParam(infinity).bits, f.overflow);
  EXPECT_EQ(TypeParam(-infinity).bits, f.overflow | f.sign());
  EXPECT_EQ(TypeParam(most).bits, f.overflow);
  for (const float sign : {1.0f, -1.0f}) {
    EXPECT_EQ(TypeParam(std::copysign(std::numeric_limits<float>::quiet_NaN(), sign)).bits, f.nan);
    EXPECT_EQ(TypeParam(std::copysign(std::numeric_limits<float>::signaling_NaN(), sign)).bits, f.nan);
  }
  EXPECT_EQ(TypeParam(-0.0f).bits, f.sign());
  EXPECT_EQ(TypeParam(std::numeric_limits<float>::denorm_min()).bits,
            nearest_code(f, std::numeric_limits<float>::denorm_min()));
}

TEST(element, codes_above_the_finite_ones_are_infinities_and_nan) {
  for (std::uint32_t code = 0; code < 0x10000; ++code) {
    const auto bits = static_cast<std::uint16_t>(code);
    const float wide = bf16::from_bits(bits), half = fp16::from_bits(bits);
    ASSERT_EQ(std::isnan(wide), (code & 0x7FFF) > 0x7F80) << code;
    ASSERT_EQ(std::isinf(wide), (code & 0x7FFF) == 0x7F80) << code;
    ASSERT_EQ(std::isnan(half), (code & 0x7FFF) > 0x7C00) << code;
    ASSERT_EQ(std::isinf(half), (code & 0x7FFF) == 0x7C00) << code;
    ASSERT_EQ(std::signbit(half), code >= 0x8000) << code;
  }
  for (std::uint32_t code = 0; code < 0x100; ++code) {
    const auto bits = static_cast<std::uint8_t>(code);
    ASSERT_EQ(std::isnan(static_cast<float>(e4m3::from_bits(bits))), (code & 0x7F) == 0x7F) << code;
    ASSERT_EQ(std::isnan(static_cast<float>(e5m2::from_bits(bits))), (code & 0x7F) > 0x7C) << code;
    ASSERT_EQ(std::isinf(static_cast<float>(e5m2::from_bits(bits))), (code & 0x7F) == 0x7C) << code;
    ASSERT_EQ(std::isinf(static_cast<float>(e4m3::from_bits(bits))), false) << code;
  }
}

// OCP Microscaling Formats 1.0, table 5: the eight magnitudes of e2m1.
TEST(element, e2m1_holds_its_eight_magnitudes) {
  const std::vector<float> table{0, 0.5f, 1, 1.5f, 2, 3, 4, 6};
  for (std::uint8_t code = 0; code < 8; ++code)
    EXPECT_EQ(static_cast<float>(e2m1::from_bits(code)), table[code]);
}

TEST(element, e8m0_is_a_power_of_two_rounded_up) {
  for (int code = 0; code < 255; ++code) {
    const float power = std::ldexp(1.0f, code - 127);
    ASSERT_EQ(static_cast<float>(e8m0::from_bits(static_cast<std::uint8_t>(code))), power);
    ASSERT_EQ(e8m0(power).bits, code);
    ASSERT_EQ(e8m0(-power).bits, code);
    ASSERT_EQ(e8m0(std::nextafter(power, HUGE_VALF)).bits, std::min(code + 1, 254));
    ASSERT_EQ(e8m0(std::nextafter(power, 0.0f)).bits, code);
  }
  EXPECT_EQ(e8m0(0.0f).bits, 0);
  EXPECT_EQ(e8m0(HUGE_VALF).bits, 254);
  EXPECT_EQ(e8m0(std::nanf("")).bits, 255);
  EXPECT_TRUE(std::isnan(static_cast<float>(e8m0::from_bits(255))));
}

TEST(element, conversions_are_constant_expressions) {
  static_assert(e4m3(448.0f).bits == 0x7E && static_cast<float>(e4m3::from_bits(0x08)) == 0.015625f);
  static_assert(bf16(1.0f).bits == 0x3F80 && fp16(65520.0f).bits == 0x7C00 && sizeof(e2m1) == 1);
}

}  // namespace
}  // namespace ridge
