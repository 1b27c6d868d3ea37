// SPDX-License-Identifier: Apache-2.0
#include <ridge/device/simulated.hpp>

#include <gtest/gtest.h>

#include <ridge/base/error.hpp>
#include <ridge/device/conformance.hpp>

namespace ridge::device {
namespace {

double measured(simulated& device, double seconds) {
  const timestamp begin = device.mark();
  device.advance(seconds);
  return device.seconds_between(begin, device.mark());
}

TEST(simulated, conforms) {
  simulated where;
  conformance::expect_device(where);
}

TEST(simulated, time_passes_only_when_told) {
  simulated where;
  EXPECT_DOUBLE_EQ(measured(where, 0), 0);
  EXPECT_NEAR(measured(where, 0.25), 0.25, 1.5e-9);
  EXPECT_DOUBLE_EQ(where.seconds(), 0.25);
}

TEST(simulated, marks_count_whole_ticks) {
  simulated where({.tick_seconds = 1e-3});
  EXPECT_DOUBLE_EQ(measured(where, 0.9e-3), 0);
  EXPECT_DOUBLE_EQ(measured(where, 0.2e-3), 1e-3);
}

TEST(simulated, a_drifting_clock_shows_a_share_more) {
  simulated where({.drift = 0.01});
  EXPECT_NEAR(measured(where, 2), 2.02, 1e-8);
  EXPECT_DOUBLE_EQ(where.seconds(), 2);
}

TEST(simulated, jitter_is_bounded_and_repeats_with_its_seed) {
  simulated one({.jitter = 0.1, .seed = 4}), same({.jitter = 0.1, .seed = 4}),
      other({.jitter = 0.1, .seed = 5});
  double least = 2, most = 0;
  for (int i = 0; i < 1000; ++i) {
    const double took = measured(one, 1);
    EXPECT_EQ(measured(same, 1), took);
    least = std::min(least, took), most = std::max(most, took);
    other.advance(1);
  }
  EXPECT_GE(least, 1 - 1e-8);
  EXPECT_LE(most, 1.1 + 1e-8);
  EXPECT_GT(most - least, 0.09);
  EXPECT_NE(one.seconds(), other.seconds());
}

TEST(simulated, work_slows_down_by_the_script) {
  simulated where({.speed = [](double start_s) { return start_s < 1 ? 1.0 : 0.5; }});
  EXPECT_NEAR(measured(where, 1), 1, 1e-8);
  EXPECT_NEAR(measured(where, 1), 2, 1e-8);
}

TEST(simulated, the_asked_call_fails_once) {
  simulated where;
  const auto made = where.allocate({.bytes = 8});
  where.fail(operation::poison, 2);
  where.poison(made->bytes());
  try {
    where.poison(made->bytes());
    FAIL() << "the second call worked";
  } catch (const failure& f) {
    EXPECT_EQ(f.why().message, "simulated failure of poison, call 2");
  }
  where.poison(made->bytes());
  EXPECT_EQ(where.calls(operation::poison), 3u);
  EXPECT_EQ(where.calls(operation::evict), 0u);
}

TEST(simulated, memory_is_limited_and_comes_back) {
  simulated where({.memory_bytes = 1000});
  auto made = where.allocate({.bytes = 600});
  EXPECT_THROW((void)where.allocate({.bytes = 401}), failure);
  EXPECT_EQ(where.bytes_in_use(), 600u);
  const auto rest = where.allocate({.bytes = 400});
  made.reset();
  EXPECT_EQ(where.bytes_in_use(), 400u);
  EXPECT_NO_THROW((void)where.allocate({.bytes = 600}));
}

TEST(simulated, other_queues_take_their_own_time_between_fork_and_join) {
  simulated where({.apart = true, .gpus = 2});
  const auto queues = where.make_queues(2, 2);
  EXPECT_EQ(queues->size(), 4U);
  EXPECT_EQ(queues->at(0, 0), where.queue());
  where.advance(1);
  queues->fork();
  where.advance_on(queues->at(0, 1), 3);
  where.advance_on(queues->at(1, 0), 5);
  where.advance(2);
  EXPECT_EQ(where.seconds(), 3);
  queues->join();
  EXPECT_EQ(where.seconds(), 6);
  EXPECT_TRUE(where.gpus()[1].opened);
  EXPECT_THROW((void)where.make_queues(3, 1), unavailable);
}

TEST(simulated, a_host_has_one_queue_however_many_are_declared) {
  simulated where;
  const auto queues = where.make_queues(1, 2);
  EXPECT_EQ(queues->at(0, 1), where.queue());
}

}  // namespace
}  // namespace ridge::device
