// SPDX-License-Identifier: Apache-2.0
// The formatter of the vendored pair against libfmt, on every kind of field that the sources of the pair use.
#include <cmath>
#include <limits>
#include <random>
#include <stdexcept>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#define fmt vendored_fmt
#include "../vendored/format.hpp"
#undef fmt

namespace {

template <class... Arguments>
void expect_same(const char* pattern, const Arguments&... arguments) {
  EXPECT_EQ(vendored_fmt::format(pattern, arguments...), fmt::format(fmt::runtime(pattern), arguments...))
      << pattern;
}

TEST(vendored_format, writes_numbers_as_libfmt_does) {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> exponent(-30, 30), fraction(-10, 10);
  for (int i = 0; i < 3000; ++i) {
    const double x = fraction(random) * std::pow(10.0, exponent(random));
    for (const char* pattern :
         {"{}", "{:.3g}", "{:.9g}", "{:.1f}", "{:.0f}", "{:.4f}", "{:.2e}", "{:.6g}", "{:g}"})
      expect_same(pattern, x);
    expect_same("{:.{}f}", x, i % 8);
    expect_same("{:.{}e}", x, i % 8);
  }
}

TEST(vendored_format, writes_special_numbers_as_libfmt_does) {
  for (const double x : {0.0, -0.0, 1.0, 100.0, 1e15, 1e16, 1e17, 0.0001, 0.00001, 123456789.0, 1e300, 5e-324,
                         std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()})
    for (const char* pattern : {"{}", "{:.3g}", "{:.0f}", "{:g}"}) expect_same(pattern, x);
  expect_same("{}", std::nan(""));
}

TEST(vendored_format, writes_texts_and_whole_numbers_as_libfmt_does) {
  expect_same("{} {} {}", 1, -2, 3u);
  expect_same("{} of {}: {}", std::string("a"), std::string_view("b"), "c");
  expect_same("{0} [{1}, {0}]", 1, 2);
  expect_same("{0:.{2}f} [{1:.{2}f}]", 1.25, 2.5, 1);
  expect_same("\\u{:04x}", 31u);
  expect_same("{{}} {{{}}} }}", 1);
  expect_same("{:3}|{:03}|{:5}", 7, 7, "ab");
  expect_same("{}", true);
  expect_same("{}", std::numeric_limits<std::uint64_t>::max());
}

TEST(vendored_format, refuses_what_it_does_not_know) {
  EXPECT_THROW(static_cast<void>(vendored_fmt::format("{:>8}", 1)), std::invalid_argument);
  EXPECT_THROW(static_cast<void>(vendored_fmt::format("{} {}", 1)), std::invalid_argument);
  EXPECT_THROW(static_cast<void>(vendored_fmt::format("{:o}", 1)), std::invalid_argument);
  EXPECT_THROW(static_cast<void>(vendored_fmt::format("{", 1)), std::invalid_argument);
}

}  // namespace
