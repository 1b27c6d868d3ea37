// SPDX-License-Identifier: Apache-2.0
#include <bit>

#include <gtest/gtest.h>
#include <hwy/targets.h>

#include <ridge/device/block_sums.hpp>
#include <ridge/device/digest.hpp>
#include <ridge/device/fill.hpp>

#include "drawing.hpp"

namespace ridge::device {
namespace {

class lanes_on : public testing::TestWithParam<std::int64_t> {
 protected:
  void SetUp() override { hwy::GetChosenTarget().Update(GetParam()); }
  void TearDown() override { hwy::GetChosenTarget().DeInit(); }
};

TEST_P(lanes_on, digest_is_the_golden_one) {
  const auto bytes = filled({dtype::u8, random_bits{}}, 0, 200'003, 0);
  EXPECT_EQ(digest(bytes), 0xE44D51026BBA8A84);
  EXPECT_EQ(digest({}), 0u);
}

// 0.1 and 0.7 make every addition round, so that another order would show.
TEST_P(lanes_on, block_sums_round_alike) {
  const auto singles = filled({dtype::fp32, normal{0.1, 0.7}}, 0, 100'003, 0);
  const auto doubles = filled({dtype::fp64, uniform{0.1, 0.7}}, 0, 100'003, 0);
  const auto a = block_sums(singles, dtype::fp32, 3), b = block_sums(doubles, dtype::fp64, 3);
  EXPECT_EQ(std::bit_cast<std::uint64_t>(a[1].sum), 0x40A97EAFF469958A);
  EXPECT_EQ(std::bit_cast<std::uint64_t>(a[2].sum_abs), 0x40D26222FE057916);
  EXPECT_EQ(std::bit_cast<std::uint64_t>(b[0].sum), 0x40CA1219DCB8D4A8);
}

INSTANTIATE_TEST_SUITE_P(isa, lanes_on, testing::ValuesIn(instruction_sets()),
                         [](const auto& each) { return std::string(hwy::TargetName(each.param)); });

// A changed bit must change about half of the digest's bits, wherever it lies.
TEST(digest, a_changed_bit_spreads_over_the_digest) {
  auto bytes = filled({dtype::u8, random_bits{}}, 0, 1024, 0);
  const std::uint64_t before = digest(bytes);
  int changed = 0, least = 64;
  for (std::size_t bit = 0; bit < 8192; ++bit) {
    const auto flip = static_cast<std::byte>(1 << bit % 8);
    bytes[bit / 8] ^= flip;
    const int here = std::popcount(digest(bytes) ^ before);
    changed += here;
    least = std::min(least, here);
    bytes[bit / 8] ^= flip;
  }
  EXPECT_NEAR(changed / 8192.0, 32, 0.3);
  EXPECT_GE(least, 12);
}

}  // namespace
}  // namespace ridge::device
