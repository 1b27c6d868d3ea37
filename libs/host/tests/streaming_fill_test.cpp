// SPDX-License-Identifier: Apache-2.0
#include <ridge/host/streaming_fill.hpp>

#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

namespace ridge::host {
namespace {

TEST(streaming_fill, sets_every_byte_of_any_span_and_none_beside_it) {
  constexpr std::byte before{0x11}, value{0xFF};
  for (const std::size_t from : {0u, 1u, 15u, 63u, 64u}) {
    for (const std::size_t count : {0u, 1u, 63u, 64u, 65u, 200u, 4096u}) {
      std::vector<std::byte> bytes(from + count + 70, before);
      streaming_fill(std::span(bytes).subspan(from, count), value);
      const auto set = std::ranges::count(bytes, value);
      EXPECT_EQ(set, static_cast<std::ptrdiff_t>(count)) << from << " + " << count;
      EXPECT_TRUE(std::ranges::all_of(std::span(bytes).subspan(from, count),
                                      [&](std::byte b) { return b == value; }));
    }
  }
}

}  // namespace
}  // namespace ridge::host
