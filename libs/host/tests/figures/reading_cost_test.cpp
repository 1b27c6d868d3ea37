// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdint>

#include <gtest/gtest.h>

#include <ridge/host/interference_reader.hpp>

namespace ridge::host {
namespace {

TEST(interference_reader, a_reading_takes_less_than_three_microseconds) {
  interference_reader reader;
  std::int64_t least = 1'000'000;
  for (int i = 0; i < 200; ++i) {
    const auto begin = reader.read().wall_ns;
    least = std::min(least, reader.read().wall_ns - begin);
  }
  EXPECT_LT(least, 3000);
}

}  // namespace
}  // namespace ridge::host
