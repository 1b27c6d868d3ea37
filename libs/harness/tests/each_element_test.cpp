// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cstdint>

#include <gtest/gtest.h>

#include <ridge/base/element.hpp>
#include <ridge/harness/experiment.hpp>

namespace ridge::harness {
namespace {

struct three_outputs {
  output<float> reals{};
  output<std::int32_t> counts{};
  output<bf16> narrow{};
};

double half_of(const three_outputs&, std::size_t i) { return static_cast<double>(i) / 2; }
double large(const three_outputs&, std::size_t i) { return 16777217 + static_cast<double>(i); }

TEST(each_element, writes_every_element_in_the_type_of_the_output) {
  std::array<float, 3> reals{};
  std::array<std::int32_t, 2> counts{};
  std::array<bf16, 2> narrow{};
  three_outputs w{reals, counts, narrow};
  each_element(&three_outputs::reals, half_of)(w);
  each_element(&three_outputs::counts, large)(w);
  each_element(&three_outputs::narrow, half_of)(w);
  EXPECT_EQ(reals, (std::array<float, 3>{0, 0.5F, 1}));
  EXPECT_EQ(counts, (std::array<std::int32_t, 2>{16777217, 16777218})) << "no float holds the first";
  EXPECT_EQ(float{narrow[1]}, 0.5F);
}

TEST(each_element, does_nothing_where_there_is_none) {
  three_outputs w{};
  each_element(&three_outputs::reals, half_of)(w);
}

}  // namespace
}  // namespace ridge::harness
