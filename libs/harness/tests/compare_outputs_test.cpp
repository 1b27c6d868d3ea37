// SPDX-License-Identifier: Apache-2.0
#include "data/compare_outputs.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "host_device.hpp"

namespace ridge::harness {
namespace {

using testing::HasSubstr;

constexpr double infinity = std::numeric_limits<double>::infinity(),
                 not_a_number = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t elements = 1000;
constexpr std::size_t chosen = 700;  // the element that a test changes

class compared_outputs : public testing::Test {
 protected:
  compared_outputs() {
    for (std::size_t i = 0; i < elements; ++i) expected[i] = static_cast<float>(i) - 300;
    std::ranges::copy(expected, got.begin());
  }
  // Compares after the chosen element was given these values.
  [[nodiscard]] output_difference with(double got_value, double expected_value, tolerance within) {
    got[chosen] = static_cast<float>(got_value);
    expected[chosen] = static_cast<float>(expected_value);
    result_bytes results(1, array_copy(elements * sizeof(float)));
    std::ranges::copy(std::as_bytes(got), results.front().begin());
    return compare_outputs(results, arrays, within);
  }

  std::unique_ptr<device::device> host = host_device_for_tests();
  memory arrays{*host, device::guard::red_zones, device::placement::ordinary, ""};
  std::span<float> expected = arrays.out<float>(elements);
  std::vector<float> held = std::vector<float>(elements);
  std::span<float> got = held;
};

TEST_F(compared_outputs, errors_within_the_tolerance_are_measured) {
  got[3] += 0.5F;  // of -297
  const auto seen = with(400.25, 400, {.abs = 1});
  EXPECT_EQ(seen.why, "");
  EXPECT_EQ(seen.compared, elements);
  EXPECT_EQ(seen.max_abs, 0.5);
  EXPECT_EQ(seen.max_rel, 0.5 / 699);
  EXPECT_EQ(seen.squared_error, 0.25 + 0.0625);
  double squares = 0;
  for (const double x : expected) squares += x * x;
  EXPECT_DOUBLE_EQ(seen.squared_expected, squares);
}

TEST_F(compared_outputs, one_wrong_element_is_named_and_the_others_are_measured_all_the_same) {
  got[3] += 0.5F;
  const auto seen = with(410, 400, {.abs = 1});
  EXPECT_EQ(seen.squared_error, 0.25 + 100);
  EXPECT_THAT(seen.why, HasSubstr("1 of 1000 elements are wrong: [700] 410, expected 400"));
  EXPECT_EQ(seen.compared, elements);
  EXPECT_EQ(seen.max_abs, 10);
}

TEST_F(compared_outputs, an_infinity_agrees_with_itself_alone_however_wide_the_tolerance) {
  const tolerance wide{.abs = 1, .rel = 0.5};
  EXPECT_EQ(with(infinity, infinity, wide).why, "");
  EXPECT_NE(with(0, infinity, wide).why, "");
  EXPECT_NE(with(-infinity, infinity, wide).why, "");
  EXPECT_NE(with(infinity, 0, wide).why, "");
}

TEST_F(compared_outputs, not_a_number_agrees_with_itself_alone) {
  EXPECT_EQ(with(not_a_number, not_a_number, {.abs = 1}).why, "");
  EXPECT_NE(with(not_a_number, 1, {.abs = 1}).why, "");
  EXPECT_NE(with(1, not_a_number, {.abs = 1}).why, "");
}

TEST_F(compared_outputs, an_exact_tolerance_asks_for_the_same_bits) {
  EXPECT_EQ(with(1, 1, exact()).why, "");
  EXPECT_THAT(with(-0.0, 0.0, exact()).why, HasSubstr("differs in its bits"));
  EXPECT_EQ(with(-0.0, 0.0, {.abs = 1e-9}).why, "");
}

}  // namespace
}  // namespace ridge::harness
