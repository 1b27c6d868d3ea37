// SPDX-License-Identifier: Apache-2.0
#include "sampling/second_clock.hpp"

#include <chrono>
#include <thread>

#include <gtest/gtest.h>
#include <ridge/base/sanitized.hpp>
#include <ridge/device/host_options.hpp>

#include "host_device.hpp"

namespace ridge::harness {
namespace {

void wait_for(std::chrono::microseconds time) {
  const auto end = std::chrono::steady_clock::now() + time;
  while (std::chrono::steady_clock::now() < end) {
  }
}

TEST(second_clock, runs_as_fast_as_the_kernels) {
  const second_clock clock;
  const auto begin = kernel_ns();
  const auto ticks = clock.now();
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  const auto later = clock.now();
  const auto end = kernel_ns();
  const double seconds = 1e-9 * static_cast<double>(end - begin);
  EXPECT_NEAR(static_cast<double>(later - ticks) * clock.seconds_per_tick(), seconds, 0.05 * seconds);
}

TEST(doubted_clock, agrees_with_an_honest_one) {
  const auto where = host_device_for_tests();
  doubted_clock clock(*where);
  EXPECT_FALSE(clock.agreement(1));
  for (int i = 0; i < 50; ++i) (void)clock.seconds_of(1, [] { wait_for(std::chrono::microseconds(50)); });
  const auto seen = clock.agreement(1);
  ASSERT_TRUE(seen);
  EXPECT_NEAR(seen->ratio, 1, 0.02);
  EXPECT_GT(seen->sample_s, 49e-6);
}

// Adds to every word of the stack above this call that a reading of the clock within the last 100 us may be.
[[gnu::noinline]] void move_readings_on_the_stack(const second_clock& clock, std::uint64_t ticks) {
  const auto now = clock.now();
  const auto lately = static_cast<std::uint64_t>(100e-6 / clock.seconds_per_tick());
  volatile auto* word = static_cast<std::uint64_t*>(__builtin_frame_address(0));
  for (int i = 0; i < 96; ++i, ++word) {
    if (now - *word < lately) *word = *word + ticks;
  }
}

TEST(doubted_clock, is_not_moved_by_work_that_finds_readings_on_the_stack) {
  if (sanitized) GTEST_SKIP() << "it writes to frames of its callers";
  const second_clock same;
  std::this_thread::sleep_for(std::chrono::milliseconds(10));
  const auto ticks = static_cast<std::uint64_t>(20e-6 / same.seconds_per_tick());
  const auto where = host_device_for_tests();
  doubted_clock clock(*where);
  for (int i = 0; i < 50; ++i) {
    (void)clock.seconds_of(0, [&] {
      move_readings_on_the_stack(same, ticks);
      wait_for(std::chrono::microseconds(50));
    });
  }
  const auto seen = clock.agreement(0);
  ASSERT_TRUE(seen);
  EXPECT_NEAR(seen->sample_s + seen->apart_s, 50e-6, 10e-6);
}

TEST(doubted_clock, tells_one_that_hides_a_part) {
  std::uint64_t hidden_ns = 0;
  device::host_options options;
  options.now = [&] { return kernel_ns() - hidden_ns; };
  options.seconds_per_tick = 1e-9;
  const auto where = backends::device_host::make(std::move(options));
  doubted_clock clock(*where);
  for (int i = 0; i < 50; ++i) {
    (void)clock.seconds_of(0, [&] {
      wait_for(std::chrono::microseconds(50));
      hidden_ns += 10'000;
    });
  }
  const auto seen = clock.agreement(0);
  ASSERT_TRUE(seen);
  EXPECT_GT(seen->ratio, 1.1);
  EXPECT_NEAR(seen->apart_s, 10e-6, 2e-6);
}

}  // namespace
}  // namespace ridge::harness
