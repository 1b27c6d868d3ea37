// SPDX-License-Identifier: Apache-2.0
#include "records.hpp"

#include <algorithm>
#include <set>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

namespace ridge::experiments::ch01_goodput_loop {
namespace {

codes all_kinds_of_codes() {
  splitmix_generator draw(3);
  codes made{};
  for (auto& c : made) c = static_cast<std::uint16_t>(draw.below(4096));
  made[0] = 0;
  made[1] = 4095;
  made[254] = 4095;
  made[255] = 2048;
  return made;
}

struct decoded {
  explicit decoded(std::span<const std::byte> record) : whole(decode_record(record, features, label)) {}
  std::vector<float> features = std::vector<float>(features_per_record);
  std::uint8_t label = 99;
  bool whole;
};

TEST(crc32, gives_the_published_check_value) {
  const std::string_view text = "123456789";
  EXPECT_EQ(crc32(std::as_bytes(std::span(text))), 0xCBF43926U);
  EXPECT_EQ(crc32({}), 0U);
}

TEST(record, survives_the_round_trip) {
  const auto written = all_kinds_of_codes();
  std::vector<std::byte> record(record_bytes);
  encode_record(written, 7, record);
  const decoded read(record);
  ASSERT_TRUE(read.whole);
  EXPECT_EQ(read.label, 7);
  for (std::size_t i = 0; i < written.size(); ++i) EXPECT_EQ(read.features[i] * 512 + 2048, written[i]) << i;
}

TEST(record, with_any_flipped_byte_is_refused) {
  std::vector<std::byte> record(record_bytes);
  encode_record(all_kinds_of_codes(), 7, record);
  for (std::size_t i = 0; i < record.size(); ++i) {
    auto damaged = record;
    damaged[i] ^= std::byte{0x10};
    EXPECT_FALSE(decoded(damaged).whole) << "byte " << i;
  }
}

TEST(record, with_an_unknown_class_is_refused) {
  std::vector<std::byte> record(record_bytes);
  encode_record(all_kinds_of_codes(), classes, record);
  EXPECT_FALSE(decoded(record).whole);
}

TEST(draw_records, makes_whole_records_of_every_class_and_leaves_the_rest_zero) {
  std::vector<std::byte> bytes(200 * record_bytes + 5, std::byte{1});
  draw_records(bytes, 11);
  std::set<int> seen;
  for (std::size_t i = 0; i < 200; ++i) {
    const decoded record{std::span(bytes).subspan(i * record_bytes, record_bytes)};
    ASSERT_TRUE(record.whole) << i;
    seen.insert(record.label);
  }
  EXPECT_EQ(seen.size(), classes);
  EXPECT_TRUE(std::ranges::all_of(std::span(bytes).last(5), [](std::byte b) { return b == std::byte{0}; }));
}

TEST(draw_records, depends_on_the_key) {
  std::vector<std::byte> a(record_bytes), b(record_bytes), again(record_bytes);
  draw_records(a, 1);
  draw_records(b, 2);
  draw_records(again, 1);
  EXPECT_NE(a, b);
  EXPECT_EQ(a, again);
}

TEST(draw_order, is_a_permutation_that_the_seed_decides) {
  std::vector<std::uint32_t> order(129), other(129), sorted(129);
  draw_order(order, 5);
  draw_order(other, 6);
  EXPECT_NE(order, other);
  sorted = order;
  std::ranges::sort(sorted);
  EXPECT_FALSE(std::ranges::equal(order, sorted));
  for (std::uint32_t i = 0; i < sorted.size(); ++i) EXPECT_EQ(sorted[i], i);
}

}  // namespace
}  // namespace ridge::experiments::ch01_goodput_loop
