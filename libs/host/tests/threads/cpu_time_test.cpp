// SPDX-License-Identifier: Apache-2.0
#include <ridge/host/cpu_time.hpp>

#include <gtest/gtest.h>

#include <thread>

namespace ridge::host {
namespace {

// Uses so much processor time of the calling thread.
void burn(double seconds) {
  const double start = cpu_used_so_far().this_thread_s;
  while (cpu_used_so_far().this_thread_s - start < seconds) {
  }
}

TEST(cpu_time, of_this_thread_is_not_that_of_others) {
  const auto before = cpu_used_so_far();
  burn(0.02);
  const auto used = cpu_used_so_far() - before;
  EXPECT_GE(used.this_thread_s, 0.02);
  EXPECT_NEAR(used.other_threads_s, 0, 5e-3);
}

TEST(cpu_time, of_a_thread_that_has_ended_counts_as_that_of_others) {
  const auto before = cpu_used_so_far();
  std::thread([] { burn(0.02); }).join();
  const auto used = cpu_used_so_far() - before;
  EXPECT_GE(used.other_threads_s, 0.0199);
  EXPECT_LT(used.this_thread_s, 0.02);
}

}  // namespace
}  // namespace ridge::host
