// SPDX-License-Identifier: Apache-2.0
#include <ridge/host/hand_over.hpp>

#include <array>
#include <chrono>
#include <cstdint>
#include <stdexcept>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace ridge::host {
namespace {

// Every slot's content is written and read without a lock, so a race would be seen by the thread sanitizer.
class two_threads : public testing::TestWithParam<std::uint32_t> {};

TEST_P(two_threads, pass_every_value_once_and_in_order) {
  constexpr std::uint32_t values = 2000;
  hand_over turns(GetParam());
  std::vector<std::uint32_t> slots(GetParam());
  std::thread producer([&] {
    for (std::uint32_t i = 0; i < values && turns.wait_for_free(); ++i) {
      slots[turns.free_slot()] = i;
      turns.publish();
    }
  });
  std::uint32_t wrong = 0;
  for (std::uint32_t i = 0; i < values && turns.wait_for_filled(); ++i) {
    wrong += slots[turns.filled_slot()] != i;
    turns.give_back();
  }
  producer.join();
  EXPECT_EQ(wrong, 0U);
}
INSTANTIATE_TEST_SUITE_P(slots, two_threads, testing::Values(1U, 2U, 3U));

TEST(hand_over, does_not_let_the_producer_pass_the_consumer) {
  hand_over turns(2);
  for (int i = 0; i < 2; ++i) {
    ASSERT_TRUE(turns.wait_for_free());
    turns.publish();
  }
  std::atomic<bool> third{false};
  std::thread producer([&] { third = turns.wait_for_free(); });
  std::this_thread::sleep_for(std::chrono::milliseconds(5));
  EXPECT_FALSE(third);
  ASSERT_TRUE(turns.wait_for_filled());
  turns.give_back();
  producer.join();
  EXPECT_TRUE(third);
}

TEST(hand_over, that_is_stopped_wakes_a_sleeping_consumer) {
  hand_over turns(2);
  bool got = true;
  std::thread consumer([&] { got = turns.wait_for_filled(); });
  std::this_thread::sleep_for(std::chrono::milliseconds(5));
  turns.stop();
  consumer.join();
  EXPECT_FALSE(got);
  EXPECT_FALSE(turns.wait_for_free());
}

TEST(hand_over, begins_again_after_a_reset) {
  hand_over turns(2);
  ASSERT_TRUE(turns.wait_for_free());
  turns.publish();
  turns.stop();
  turns.reset();
  ASSERT_TRUE(turns.wait_for_free());
  EXPECT_EQ(turns.free_slot(), 0U);
}

TEST(stop_on_failure, stops_when_an_exception_leaves_its_scope) {
  hand_over turns(1);
  const auto failing = [&] {
    stop_on_failure guard(turns);
    throw std::runtime_error("disk");
  };
  EXPECT_THROW(failing(), std::runtime_error);
  EXPECT_FALSE(turns.wait_for_free());
}

}  // namespace
}  // namespace ridge::host
