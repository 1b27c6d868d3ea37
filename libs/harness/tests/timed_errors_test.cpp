// SPDX-License-Identifier: Apache-2.0
#include "summary/timed_errors.hpp"

#include <gtest/gtest.h>

namespace ridge::harness {
namespace {

TEST(timed_errors, one_call_far_off_decides_nothing) {
  EXPECT_EQ(typical_error({}), std::nullopt);
  EXPECT_EQ(typical_error({0.5}), std::nullopt) << "whether it is the usual one is not known";
  EXPECT_EQ(typical_error({0.5, 1e-7}), 1e-7);
  EXPECT_EQ(typical_error({1e-7, 0.5, 2e-7}), 2e-7);
  EXPECT_EQ(typical_error({0.5, 1e-7, 2e-7, 0.5}), 2e-7);
}

TEST(timed_errors, errors_of_most_calls_do) {
  EXPECT_EQ(typical_error({0.5, 0.4}), 0.4);
  EXPECT_EQ(typical_error({0.5, 1e-7, 0.4}), 0.4);
}

}  // namespace
}  // namespace ridge::harness
