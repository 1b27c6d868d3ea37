// SPDX-License-Identifier: Apache-2.0
#include "import/unpacked_source.hpp"

#include <gtest/gtest.h>

#include <ridge/base/error.hpp>

#include "fixtures/packed.hpp"

namespace ridge::trace {
namespace {

using fixtures::gzipped;
using fixtures::read_all;
using fixtures::zstandard;

std::unique_ptr<byte_source> unzipped(const std::string& packed, const read_limits& limits = {}) {
  return unpacked_source(source_of(packed), gzip_unpacker(), limits, "a.gz");
}

std::string counting(std::size_t n) {
  std::string text;
  for (std::size_t i = 0; text.size() < n; ++i) text += std::to_string(i * 2654435761U) + ",";
  return text;
}

TEST(unpacked_source, gives_back_what_was_packed_whatever_the_size_of_the_reads) {
  const auto text = counting(3'000'000);
  for (const std::size_t block : {1U << 10, 4093U, 1U << 22}) {
    const auto packed = gzipped(text);
    const auto source = unzipped(packed);
    EXPECT_EQ(read_all(*source, block), text);
    EXPECT_FALSE(source->ended_early());
    EXPECT_EQ(source->trailing_bytes(), 0U);
  }
}

TEST(unpacked_source, reads_member_after_member) {
  const auto packed = gzipped("one ") + gzipped("") + gzipped("two ") + gzipped("three");
  EXPECT_EQ(read_all(*unzipped(packed)), "one two three");
  const auto frames = zstandard("one ") + zstandard("") + zstandard("two");
  EXPECT_EQ(read_all(*unpacked_source(source_of(frames), zstd_unpacker(), {}, "a.zst")), "one two");
}

TEST(unpacked_source, counts_what_stands_behind_the_end_and_takes_zeros_for_padding) {
  const auto padded = gzipped("text") + std::string(600, '\0');
  const auto with_padding = unzipped(padded);
  EXPECT_EQ(read_all(*with_padding), "text");
  EXPECT_EQ(with_padding->trailing_bytes(), 0U);
  const auto dirty = gzipped("text") + std::string(3, '\0') + "left over";
  const auto with_rest = unzipped(dirty);
  EXPECT_EQ(read_all(*with_rest), "text");
  EXPECT_EQ(with_rest->trailing_bytes(), 12U);
  EXPECT_FALSE(with_rest->ended_early());
}

TEST(unpacked_source, gives_what_a_truncated_file_holds_and_says_so) {
  const auto text = counting(500'000);
  for (const auto& packed : {gzipped(text), zstandard(text)}) {
    const auto cut = packed.substr(0, packed.size() / 2);
    const auto source = unpacked_source(
        source_of(cut), packed[0] == '\x1f' ? gzip_unpacker() : zstd_unpacker(), {}, "cut.gz");
    const auto got = read_all(*source);
    EXPECT_GT(got.size(), text.size() / 8);
    EXPECT_EQ(got, text.substr(0, got.size()));
    ASSERT_TRUE(source->ended_early());
    EXPECT_NE(source->ended_early()->message.find("ends in the middle"), std::string::npos);
  }
}

TEST(unpacked_source, gives_what_stands_before_damage) {
  auto packed = gzipped(counting(500'000));
  packed[packed.size() / 2] ^= '\x55';
  packed[packed.size() / 2 + 1] ^= '\x55';
  const auto source = unzipped(packed);
  EXPECT_GT(read_all(*source).size(), 100'000U);
  ASSERT_TRUE(source->ended_early());
  EXPECT_NE(source->ended_early()->message.find("damaged"), std::string::npos);
}

TEST(unpacked_source, refuses_content_over_the_limit_and_names_the_flag) {
  const auto packed = gzipped(std::string(10'000, 'a'));
  const auto source = unzipped(packed, {.content_bytes = 5'000});
  try {
    static_cast<void>(read_all(*source));
    FAIL() << "not refused";
  } catch (const failure& f) {
    EXPECT_NE(f.why().message.find("more than 5000 bytes"), std::string::npos) << f.why().message;
    EXPECT_NE(f.why().remedy.find("--max-memory"), std::string::npos);
  }
}

TEST(unpacked_source, refuses_a_bomb_but_not_a_small_text_that_packs_well) {
  const auto packed = zstandard(std::string(4'000'000, 'a'));
  ASSERT_LT(packed.size() * 2000, 4'000'000U);
  const auto allowed = unpacked_source(source_of(packed), zstd_unpacker(), {}, "a.zst");
  EXPECT_EQ(read_all(*allowed).size(), 4'000'000U);
  const auto refused =
      unpacked_source(source_of(packed), zstd_unpacker(), {.bomb_bytes = 1'000'000}, "a.zst");
  EXPECT_THROW(static_cast<void>(read_all(*refused)), failure);
}

TEST(limits_for, raises_every_limit_with_the_memory_that_is_allowed_and_lowers_none) {
  const read_limits usual;
  const auto more = limits_for(usual.memory_bytes * 4);
  EXPECT_EQ(more.memory_bytes, usual.memory_bytes * 4);
  EXPECT_EQ(more.content_bytes, usual.content_bytes * 4);
  EXPECT_EQ(more.bomb_bytes, usual.bomb_bytes * 4);
  const auto less = limits_for(1000);
  EXPECT_EQ(less.memory_bytes, 1000U);
  EXPECT_EQ(less.content_bytes, usual.content_bytes);
  EXPECT_EQ(less.bomb_bytes, usual.bomb_bytes);
  EXPECT_EQ(limits_for(~std::uint64_t{0}).content_bytes, ~std::uint64_t{0} / 8 * 8);
}

}  // namespace
}  // namespace ridge::trace
