// SPDX-License-Identifier: Apache-2.0
#include <ridge/device/philox.hpp>

#include <gmock/gmock.h>

namespace ridge::device {
namespace {

// The vectors published with Random123 (kat_vectors, philox4x32 10 rounds).
TEST(philox, gives_the_published_vectors) {
  EXPECT_THAT(philox4x32({{0, 0, 0, 0}}, 0, 0).word,
              testing::ElementsAre(0x6627e8d5u, 0xe169c58du, 0xbc57ac4cu, 0x9b00dbd8u));
  EXPECT_THAT(philox4x32({{~0u, ~0u, ~0u, ~0u}}, ~0u, ~0u).word,
              testing::ElementsAre(0x408f276du, 0x41c83b0eu, 0xa20bc7c6u, 0x6d5451fdu));
  EXPECT_THAT(
      philox4x32({{0x243f6a88u, 0x85a308d3u, 0x13198a2eu, 0x03707344u}}, 0xa4093822u, 0x299f31d0u).word,
      testing::ElementsAre(0xd16cfe09u, 0x94fdccebu, 0x5001e420u, 0x24126ea1u));
}

}  // namespace
}  // namespace ridge::device
