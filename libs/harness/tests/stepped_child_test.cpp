// SPDX-License-Identifier: Apache-2.0
#include "child/stepped_child.hpp"

#include <unistd.h>

#include <gtest/gtest.h>
#include <ridge/host/shared_region.hpp>

namespace ridge::harness {
namespace {

TEST(stepped_child, does_a_step_when_its_parent_asks_for_it) {
  const host::shared_region shared(1);
  auto& seen = shared.bytes()[0];
  stepped_child child([&](const stepped_child::next_step& next) {
    next();
    seen = std::byte{1};
    next();
    seen = std::byte{2};
    return std::string("over");
  });
  ASSERT_TRUE(child.waits(10));
  EXPECT_EQ(seen, std::byte{0});
  child.proceed();
  ASSERT_TRUE(child.waits(10));
  EXPECT_EQ(seen, std::byte{1});
  const auto done = child.finish(10);
  EXPECT_EQ(seen, std::byte{2});
  EXPECT_EQ(done.output, "over");
}

TEST(stepped_child, that_ends_early_waits_no_longer) {
  stepped_child child([](const stepped_child::next_step& next) -> std::string {
    next();
    _exit(0);
  });
  ASSERT_TRUE(child.waits(10));
  child.proceed();
  EXPECT_FALSE(child.waits(10));
  EXPECT_TRUE(succeeded(child.finish(10).outcome));
}

TEST(stepped_child, that_hangs_is_killed) {
  stepped_child child([](const stepped_child::next_step&) -> std::string {
    while (true) pause();
  });
  EXPECT_FALSE(child.waits(0.2));
  const auto done = child.finish(10);
  EXPECT_TRUE(std::holds_alternative<host::child_timed_out>(done.outcome)) << host::text(done.outcome);
}

TEST(stepped_child, that_closes_everything_is_no_longer_heard) {
  stepped_child child([](const stepped_child::next_step& next) -> std::string {
    next();
    for (int descriptor = 3; descriptor < 256; ++descriptor) close(descriptor);
    next();
    return "done";
  });
  ASSERT_TRUE(child.waits(10));
  child.proceed();
  EXPECT_FALSE(child.waits(10));
  EXPECT_FALSE(succeeded(child.finish(10).outcome));
}

}  // namespace
}  // namespace ridge::harness
