// SPDX-License-Identifier: Apache-2.0
#include <ridge/host/shared_region.hpp>

#include <string>
#include <utility>

#include <gtest/gtest.h>

#include <ridge/host/child_process.hpp>

namespace ridge::host {
namespace {

TEST(shared_region, shows_what_a_child_writes) {
  const shared_region region(4096);
  const auto done = run_forked([&] { return region.bytes()[7] = std::byte{42}, std::string{}; }, 10);
  EXPECT_TRUE(succeeded(done.outcome));
  EXPECT_EQ(region.bytes()[7], std::byte{42});
}

TEST(shared_region, that_is_hidden_does_not_exist_in_children) {
  const shared_region region(4096);
  region.bytes()[0] = std::byte{1};
  region.hide_from_children();
  const auto done = run_forked(
      [&] {
        return std::to_string(std::to_integer<int>(*const_cast<volatile std::byte*>(&region.bytes()[0])));
      },
      10);
  EXPECT_TRUE(std::holds_alternative<child_signalled>(done.outcome)) << text(done.outcome);
  EXPECT_EQ(region.bytes()[0], std::byte{1});
}

TEST(shared_region, may_be_empty_and_moves) {
  shared_region empty(0);
  EXPECT_TRUE(empty.bytes().empty());
  shared_region region(100);
  region.bytes()[99] = std::byte{9};
  const shared_region moved = std::move(region);
  EXPECT_EQ(moved.bytes()[99], std::byte{9});
}

}  // namespace
}  // namespace ridge::host
