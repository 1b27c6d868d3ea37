// SPDX-License-Identifier: Apache-2.0
#include <ridge/host/affinity.hpp>

#include <gtest/gtest.h>

#include <ridge/base/error.hpp>

namespace ridge::host {
namespace {

TEST(affinity, a_pinned_thread_runs_there_and_gets_its_mask_back) {
  const auto before = affinity();
  ASSERT_FALSE(before.empty());
  {
    const scoped_affinity pin(before.back());
    EXPECT_EQ(affinity(), std::vector<int>{before.back()});
    EXPECT_EQ(current_cpu(), before.back());
    const scoped_affinity wide(before);
    EXPECT_EQ(affinity(), before);
  }
  EXPECT_EQ(affinity(), before);
}

TEST(affinity, a_cpu_that_is_not_there_is_refused_by_name) {
  const auto before = affinity();
  const int absent = 8191;
  try {
    const scoped_affinity pin(absent);
    FAIL() << "pinned to CPU 8191";
  } catch (const unavailable& e) {
    EXPECT_NE(std::string(e.what()).find("CPU 8191"), std::string::npos) << e.what();
  }
  EXPECT_EQ(affinity(), before);
  EXPECT_THROW(set_affinity({}), unavailable);
  const int negative = -1;
  EXPECT_THROW(set_affinity(std::span(&negative, 1)), precondition_violated);
}

}  // namespace
}  // namespace ridge::host
