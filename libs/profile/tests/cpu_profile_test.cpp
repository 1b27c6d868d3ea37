// SPDX-License-Identifier: Apache-2.0
#include <ridge/profile/cpu_profile.hpp>

#include <gtest/gtest.h>

#include "own_mapping.hpp"

namespace ridge::profile {
namespace {

std::string stack_text(const cpu_profile& p, std::uint32_t node) {
  std::string text;
  for (; node != 0xffffffffU; node = p.frames()[node].caller) text += p.frames()[node].function + "<";
  return text;
}

TEST(cpu_profile, addresses_become_functions_and_equal_stacks_are_one) {
  cpu_profile p;
  p.add(own_mapping(7));
  const auto inner = address_of(marked_inner), outer = address_of(marked_outer);
  for (int i = 0; i < 2; ++i)
    p.add(stack_seen{.time_ns = i, .process = 7, .thread = 7, .weight = 3, .addresses = {inner, outer + 5}});
  ASSERT_EQ(p.samples().size(), 2U);
  EXPECT_EQ(p.frames().size(), 2U);
  EXPECT_EQ(stack_text(p, p.samples()[0].stack), "ridge_marked_inner<ridge_marked_outer<");
  EXPECT_EQ(p.samples()[0].stack, p.samples()[1].stack);
}

// A call that ends a function returns to the function behind it.
TEST(cpu_profile, a_return_address_belongs_to_the_call_before_it) {
  cpu_profile p;
  p.add(own_mapping(7));
  p.add(stack_seen{.process = 7, .thread = 7, .addresses = {1, address_of(marked_inner)}});
  EXPECT_EQ(stack_text(p, p.samples()[0].stack).find("ridge_marked_inner"), std::string::npos);
}

TEST(cpu_profile, an_address_that_nothing_maps_is_unknown) {
  cpu_profile p;
  p.add(stack_seen{.process = 7, .thread = 7, .addresses = {0x10}});
  p.add(mapping_made{.process = 7, .begin = 0x1000, .length = 0x1000, .file = "/no/such/libx.so"});
  p.add(stack_seen{.process = 7, .thread = 7, .addresses = {0x1010}});
  EXPECT_EQ(stack_text(p, p.samples()[0].stack), "[unknown]<");
  EXPECT_EQ(stack_text(p, p.samples()[1].stack), "[libx.so]<");
}

TEST(cpu_profile, waits_of_50_us_or_more_are_kept) {
  cpu_profile p;
  const auto switched = [&](std::int64_t time_ns, pid_t thread, bool out, bool preempted) {
    p.add(thread_switched{
        .time_ns = time_ns, .process = 1, .thread = thread, .out = out, .preempted = preempted});
  };
  switched(100, 1, false, false);  // came back from where nobody saw it leave
  switched(1'000, 1, true, false);
  switched(2'000, 2, true, true);
  switched(50'999, 1, false, false);
  switched(52'000, 2, false, false);
  switched(60'000, 1, true, false);
  ASSERT_EQ(p.waits().size(), 1U);
  EXPECT_EQ(p.waits()[0].start_ns, 2'000);
  EXPECT_EQ(p.waits()[0].end_ns, 52'000);
  EXPECT_EQ(p.waits()[0].thread, 2);
  EXPECT_TRUE(p.waits()[0].preempted);
}

TEST(cpu_profile, threads_take_their_process_name_until_they_have_their_own) {
  cpu_profile p;
  p.add(thread_named{.process = 1, .thread = 1, .name = "burn"});
  p.add(thread_started{.process = 1, .thread = 2, .parent_process = 1});
  p.add(thread_started{.process = 3, .thread = 3, .parent_process = 1});
  p.add(thread_named{.process = 1, .thread = 2, .name = "worker"});
  p.add(records_lost{4});
  p.add(records_lost{5});
  EXPECT_EQ(p.threads().at({1, 1}), "burn");
  EXPECT_EQ(p.threads().at({1, 2}), "worker");
  EXPECT_EQ(p.threads().at({3, 3}), "burn");
  EXPECT_EQ(p.lost(), 9U);
}

}  // namespace
}  // namespace ridge::profile
