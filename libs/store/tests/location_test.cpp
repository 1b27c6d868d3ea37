// SPDX-License-Identifier: Apache-2.0
#include <ridge/store/location.hpp>

#include <cstdlib>

#include <gtest/gtest.h>

namespace ridge::store {
namespace {

TEST(location, follows_the_base_directory_specification) {
  setenv("HOME", "/home/x", 1);
  setenv("XDG_DATA_HOME", "/data", 1);
  EXPECT_EQ(default_location(), "/data/ridge/ridge.db");
  setenv("XDG_DATA_HOME", "relative", 1);
  EXPECT_EQ(default_location(), "/home/x/.local/share/ridge/ridge.db");
  unsetenv("XDG_DATA_HOME");
  EXPECT_EQ(default_location(), "/home/x/.local/share/ridge/ridge.db");
  unsetenv("HOME");
  EXPECT_EQ(default_location(), "");
}

}  // namespace
}  // namespace ridge::store
