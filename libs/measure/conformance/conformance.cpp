// SPDX-License-Identifier: Apache-2.0
#include <ridge/measure/conformance.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace ridge::measure::conformance {
namespace {

using wall = std::chrono::steady_clock;
using std::chrono::milliseconds;

double seconds_since(wall::time_point begin) {
  return std::chrono::duration<double>(wall::now() - begin).count();
}

void work_for(milliseconds time) {
  const auto end = wall::now() + time;
  while (wall::now() < end) {
  }
}

void count_to(std::uint64_t n) {
  for (std::uint64_t i = 0; i < n; ++i) asm volatile("" : "+r"(i));
}

double named(const std::vector<counter_value>& values, const char* name) {
  for (const auto& v : values) {
    if (v.name == name) return v.value;
  }
  return -1;
}

double instructions_of(counters& subject, std::uint64_t n) {
  subject.start();
  count_to(n);
  subject.stop();
  return named(subject.read(), "instructions");
}

void touch_new_pages() {
  constexpr std::size_t bytes = 4 << 20;
  const std::unique_ptr<char[]> pages(new char[bytes]);
  for (std::size_t at = 0; at < bytes; at += 4096) static_cast<volatile char*>(pages.get())[at] = 1;
}

bool within(const std::optional<double>& value, double least, double most) {
  return !value || (*value >= least && *value <= most);
}

// Returns the smallest error of several tries, since a busy neighbour may interrupt between two readings of
// either clock.
double disagreement_with_steady_clock(const clock& subject) {
  double least = 1;
  for (int attempt = 0; attempt < 5 && least > 0.002; ++attempt) {
    const auto begin = wall::now();
    const auto ticks = subject.now();
    work_for(milliseconds(20));
    const double measured = subject.seconds(subject.now() - ticks);
    least = std::min(least, std::abs(measured / seconds_since(begin) - 1));
  }
  return least;
}

}  // namespace

void expect_clock(const clock& subject) {
  EXPECT_FALSE(subject.name().empty());
  auto last = subject.now();
  for (int i = 0; i < 100'000; ++i) {
    const auto next = subject.now();
    ASSERT_GE(next, last);
    last = next;
  }
  EXPECT_LT(disagreement_with_steady_clock(subject), 0.01);
  EXPECT_EQ(subject.seconds(0), 0.0);
  EXPECT_DOUBLE_EQ(subject.seconds(2'000'000), 2 * subject.seconds(1'000'000));
  EXPECT_GT(subject.resolution_s(), 0.0);
  EXPECT_LT(subject.resolution_s(), 1e-5);
  EXPECT_GT(subject.read_cost_s(), 0.0);
  EXPECT_LT(subject.read_cost_s(), 1e-5);
}

void expect_counters(counters& subject) {
  if (!subject.unavailable_because().empty()) {
    EXPECT_EQ(instructions_of(subject, 1000), -1);
    EXPECT_TRUE(subject.read().empty());
    return;
  }
  const double few = instructions_of(subject, 100'000), many = instructions_of(subject, 10'000'000);
  EXPECT_GT(few, 100'000);
  EXPECT_NEAR(many / few, 100, 20);
  EXPECT_NEAR(instructions_of(subject, 100'000) / few, 1, 0.2);
}

void expect_energy_meter(energy_meter& subject) {
  if (!subject.unavailable_because().empty()) {
    EXPECT_EQ(subject.joules(), 0.0);
    return;
  }
  EXPECT_FALSE(subject.name().empty());
  EXPECT_GT(subject.resolution_s(), 0.0);
  const double seconds = std::max(0.05, 3 * subject.resolution_s());
  const double before = subject.joules();
  work_for(milliseconds(std::lround(seconds * 1e3)));
  const double after = subject.joules();
  EXPECT_GT(after, before);
  EXPECT_LT(after - before, seconds * 5000) << "more than five kilowatts";
}

void expect_gpu_meter(gpu_meter& subject) {
  const auto state = subject.read();
  if (!subject.unavailable_because().empty()) {
    EXPECT_FALSE(state.has_value());
    return;
  }
  ASSERT_TRUE(state.has_value());
  EXPECT_TRUE(state->sm_clock_mhz || state->power_w || state->temperature_c || state->throttled_by);
  EXPECT_TRUE(within(state->sm_clock_mhz, 50, 5000));
  EXPECT_TRUE(within(state->power_w, 1, 5000));
  EXPECT_TRUE(within(state->temperature_c, 1, 130));
}

void expect_gpu_tracer(gpu_tracer& subject) {
  const bool works = subject.unavailable_because().empty();
  subject.start();
  const auto trace = subject.stop();
  EXPECT_EQ(trace.dropped, 0U);
  EXPECT_TRUE(works || (trace.activities.empty() && trace.calls.empty())) << "unavailable, yet it recorded";
  EXPECT_TRUE(std::ranges::none_of(trace.activities, &gpu_activity::runs)) << "nothing was asked of the GPU";
  EXPECT_TRUE(std::ranges::is_sorted(trace.calls, {}, &gpu_api_call::start_s));
}

void expect_interference_meter(interference_meter& subject) {
  subject.start();
  std::this_thread::sleep_for(milliseconds(20));
  const auto idle = subject.stop();
  EXPECT_GE(idle.wall_s, 0.02);
  EXPECT_LT(idle.cpu_over_wall, 0.5);
  EXPECT_GE(idle.voluntary_switches, 1);
  EXPECT_FALSE(idle.clean());
  double busiest = 0;
  for (int attempt = 0; attempt < 20 && busiest < 0.9; ++attempt) {
    subject.start();
    count_to(2'000'000);
    const auto busy = subject.stop();
    busiest = std::max(busiest, busy.cpu_over_wall);
    EXPECT_EQ(busy.voluntary_switches, 0);
  }
  EXPECT_GT(busiest, 0.9);
  subject.start();
  touch_new_pages();
  EXPECT_GT(subject.stop().minor_faults, 0);
}

}  // namespace ridge::measure::conformance
