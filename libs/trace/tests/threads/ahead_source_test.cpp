// SPDX-License-Identifier: Apache-2.0
#include "import/ahead_source.hpp"

#include <gtest/gtest.h>

#include <atomic>

#include <ridge/base/error.hpp>

#include "fixtures/packed.hpp"

namespace ridge::trace {
namespace {

// Bytes 0, 1, 2 ... of which byte `bad` cannot be read; counts what was asked of it.
class counting_source final : public byte_source {
 public:
  counting_source(std::uint64_t size, std::optional<std::uint64_t> bad, std::atomic<std::uint64_t>& given)
      : size_(size), bad_(bad), given_(given) {}
  std::size_t read(std::span<char> buffer) override {
    std::size_t n = 0;
    for (; n < buffer.size() && given_ < size_; ++n) {
      if (bad_ && given_ == *bad_) throw failure({"bad byte", "none"});
      buffer[n] = static_cast<char>(given_++ % 251);
    }
    return n;
  }
  std::optional<error> ended_early() const override { return error{"cut", "none"}; }
  std::uint64_t trailing_bytes() const override { return 5; }
  std::optional<std::uint64_t> size_hint() const override { return size_; }

 private:
  std::uint64_t size_;
  std::optional<std::uint64_t> bad_;
  std::atomic<std::uint64_t>& given_;
};

struct ahead_source_test : testing::Test {
  std::unique_ptr<byte_source> source(std::uint64_t size, std::optional<std::uint64_t> bad = {}) {
    return ahead_source(std::make_unique<counting_source>(size, bad, given));
  }
  std::atomic<std::uint64_t> given = 0;
};

TEST_F(ahead_source_test, gives_all_bytes_in_their_order_and_then_what_the_source_says) {
  const auto ahead = source(20'000'001);
  EXPECT_EQ(ahead->size_hint(), 20'000'001U);
  const auto all = fixtures::read_all(*ahead, 999'983);
  ASSERT_EQ(all.size(), 20'000'001U);
  for (std::size_t i = 0; i < all.size(); ++i) ASSERT_EQ(all[i], static_cast<char>(i % 251)) << i;
  EXPECT_EQ(ahead->ended_early()->message, "cut");
  EXPECT_EQ(ahead->trailing_bytes(), 5U);
  char more = 0;
  EXPECT_EQ(ahead->read({&more, 1}), 0U);
}

TEST_F(ahead_source_test, stops_reading_when_nobody_asks_for_more) {
  {
    const auto ahead = source(std::uint64_t{1} << 40);
    char first = 0;
    EXPECT_EQ(ahead->read({&first, 1}), 1U);
  }
  EXPECT_LE(given, std::uint64_t{4} * (4 << 20));
}

TEST_F(ahead_source_test, throws_what_the_source_throws_behind_the_blocks_before_it) {
  const auto ahead = source(20'000'000, 9'000'000);
  std::vector<char> block(1 << 20);
  std::uint64_t got = 0;
  try {
    for (auto n = ahead->read(block); n > 0; n = ahead->read(block)) got += n;
    FAIL() << "nothing thrown";
  } catch (const failure& f) {
    EXPECT_EQ(f.why().message, "bad byte");
  }
  EXPECT_EQ(got, std::uint64_t{2} * (4 << 20));
}

}  // namespace
}  // namespace ridge::trace
