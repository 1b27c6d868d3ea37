// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "input/plan_serve_memory.hpp"

namespace ridge::app_plan {
namespace {

using testing::AllOf;
using testing::HasSubstr;

TEST(plan_serve_memory, more_requests_than_memory_are_refused_with_their_number) {
  const auto checked = check_memory({.count = 4e8}, 4e9);
  ASSERT_FALSE(checked);
  EXPECT_THAT(checked.why().text(),
              AllOf(HasSubstr("400000000 requests"), HasSubstr("--requests"), HasSubstr("29197080")));
  EXPECT_TRUE(check_memory({.count = 1e6}, 4e9));
}

TEST(plan_serve_memory, names_of_blocks_count) {
  EXPECT_GT(bytes_of({.count = 1e6, .blocks_a_prompt = 100}), 10 * bytes_of({.count = 1e6}));
  EXPECT_GT(free_bytes(), 1e6);
}

}  // namespace
}  // namespace ridge::app_plan
