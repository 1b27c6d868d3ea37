// SPDX-License-Identifier: Apache-2.0
#include <sched.h>

#include <gtest/gtest.h>

#include <ridge/base/usable_processors.hpp>

namespace ridge {
namespace {

TEST(usable_processors, are_those_that_the_thread_may_run_on) {
  ::cpu_set_t before;
  ASSERT_EQ(::sched_getaffinity(0, sizeof before, &before), 0);
  EXPECT_EQ(usable_processors(), static_cast<unsigned>(CPU_COUNT(&before)));
  ::cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(static_cast<std::size_t>(::sched_getcpu()), &one);
  ASSERT_EQ(::sched_setaffinity(0, sizeof one, &one), 0);
  EXPECT_EQ(usable_processors(), 1U);
  EXPECT_EQ(::sched_setaffinity(0, sizeof before, &before), 0);
}

}  // namespace
}  // namespace ridge
