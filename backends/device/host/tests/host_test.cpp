// SPDX-License-Identifier: Apache-2.0
#include <chrono>
#include <memory>
#include <thread>

#include <gtest/gtest.h>

#include <ridge/device/conformance.hpp>
#include <ridge/device/host_options.hpp>

namespace ridge::backends::device_host {

std::unique_ptr<device::device> make(device::host_options options);

namespace {

TEST(host, conforms) {
  const auto subject = make({});
  device::conformance::expect_arrays(*subject);
  device::conformance::expect_contents(*subject);
  device::conformance::expect_digests(*subject);
  device::conformance::expect_block_sums(*subject);
  device::conformance::expect_enqueued_results(*subject);
}

TEST(host, evicts_without_changing_arrays) {
  const auto subject = make({.evicting_bytes = std::size_t{4} << 20});
  device::conformance::expect_time_and_eviction(*subject);
}

TEST(host, marks_read_the_monotonic_clock) {
  const auto subject = make({});
  const auto before = std::chrono::steady_clock::now();
  const auto begin = subject->mark();
  std::this_thread::sleep_for(std::chrono::milliseconds(5));
  const double seconds = subject->seconds_between(begin, subject->mark());
  const std::chrono::duration<double> around = std::chrono::steady_clock::now() - before;
  EXPECT_GE(seconds, 0.005);
  EXPECT_LE(seconds, around.count());
}

TEST(host, marks_read_the_given_ticks) {
  std::uint64_t now = 1000;
  const auto subject = make({.now = [&] { return now; }, .seconds_per_tick = 0.5});
  const auto begin = subject->mark();
  now += 3;
  EXPECT_DOUBLE_EQ(subject->seconds_between(begin, subject->mark()), 1.5);
}

}  // namespace
}  // namespace ridge::backends::device_host
