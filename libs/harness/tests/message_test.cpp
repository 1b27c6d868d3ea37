// SPDX-License-Identifier: Apache-2.0
#include "child/message.hpp"

#include <bit>
#include <cmath>
#include <limits>
#include <random>

#include <gtest/gtest.h>

namespace ridge::harness {

struct message_leaf {
  double real = 0;
  std::string text{};
};
void fields(auto& visit, record_of<message_leaf> auto& x) {
  visit("real", x.real);
  visit("text", x.text);
}

struct message_tree {
  bool truth = false;
  int whole = 0;
  std::uint64_t large = 0;
  double real = 0;
  std::string text{};
  std::vector<double> reals{};
  std::vector<std::vector<std::string>> texts{};
  std::vector<message_leaf> leaves{};
  std::optional<message_leaf> leaf{};
};
void fields(auto& visit, record_of<message_tree> auto& x) {
  visit("truth", x.truth);
  visit("whole", x.whole);
  visit("large", x.large);
  visit("real", x.real);
  visit("text", x.text);
  visit("reals", x.reals);
  visit("texts", x.texts);
  visit("leaves", x.leaves);
  visit("leaf", x.leaf);
}

struct message_other {
  double missing = 0;
};
void fields(auto& visit, record_of<message_other> auto& x) { visit("missing", x.missing); }

struct message_number {
  std::int64_t real = 0;
};
void fields(auto& visit, record_of<message_number> auto& x) { visit("real", x.real); }

namespace {

class message_source {
 public:
  explicit message_source(std::uint64_t seed) : random_(seed) {}

  message_tree tree() {
    message_tree made{.truth = random_() % 2 == 0,
                      .whole = static_cast<int>(random_()),
                      .large = random_(),
                      .real = real(),
                      .text = text()};
    for (auto n = count(); n > 0; --n) made.reals.push_back(real());
    for (auto n = count(); n > 0; --n) {
      auto& row = made.texts.emplace_back();
      for (auto m = count(); m > 0; --m) row.push_back(text());
    }
    for (auto n = count(); n > 0; --n) made.leaves.push_back({real(), text()});
    if (random_() % 2 == 0) made.leaf = message_leaf{real(), text()};
    return made;
  }

 private:
  std::uint64_t count() { return random_() % 5; }
  // Any pattern of bits: subnormal numbers, infinities and every NaN among them.
  double real() {
    constexpr double odd[] = {0.0,
                              -0.0,
                              0.1,
                              std::numeric_limits<double>::infinity(),
                              std::numeric_limits<double>::denorm_min(),
                              std::numeric_limits<double>::max()};
    return random_() % 2 == 0 ? odd[random_() % std::size(odd)] : std::bit_cast<double>(random_());
  }
  std::string text() {
    constexpr std::string_view bytes{"a b\n\r\t\"\\,:\0\xff{}[]", 16};
    std::string made;
    for (auto n = random_() % 12; n > 0; --n) made += bytes[random_() % bytes.size()];
    return made;
  }

  std::mt19937_64 random_;
};

// The bytes name every field and hold every bit, so equal bytes are equal values, NaN included.
TEST(message, any_value_survives_the_round_trip) {
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    const auto sent = message_source(seed).tree();
    const auto got = decode<message_tree>(encode(sent));
    ASSERT_TRUE(got) << got.why().text();
    EXPECT_EQ(encode(*got), encode(sent)) << seed;
    EXPECT_EQ(got->text, sent.text);
    EXPECT_EQ(got->large, sent.large);
    EXPECT_EQ(std::bit_cast<std::uint64_t>(got->real), std::bit_cast<std::uint64_t>(sent.real));
    EXPECT_EQ(got->leaf.has_value(), sent.leaf.has_value());
  }
}

TEST(message, a_truncated_one_is_an_error) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const auto bytes = encode(message_source(seed).tree());
    for (std::size_t n = 0; n < bytes.size(); ++n)
      ASSERT_FALSE(decode<message_tree>(bytes.substr(0, n))) << seed << ", first " << n << " bytes";
    EXPECT_FALSE(decode<message_tree>(bytes + '\0'));
  }
}

// Damage is an error or another value of the right shape, never a crash.
TEST(message, a_damaged_one_is_never_fatal) {
  std::mt19937_64 random(7);
  for (int i = 0; i < 5000; ++i) {
    auto bytes = encode(message_source(random() % 8).tree());
    bytes[random() % bytes.size()] = static_cast<char>(random());
    static_cast<void>(decode<message_tree>(bytes));
  }
}

TEST(message, a_missing_field_is_an_error_and_no_default) {
  const auto got = decode<message_other>(encode(message_leaf{1, "x"}));
  ASSERT_FALSE(got);
  EXPECT_NE(got.why().message.find("\"missing\""), std::string::npos);
}

TEST(message, a_field_of_another_type_is_an_error) {
  EXPECT_FALSE(decode<message_number>(encode(message_leaf{1, "x"})));
}

TEST(message, a_number_out_of_range_is_an_error) {
  EXPECT_FALSE(decode<int>(encode(std::int64_t{1} << 40)));
  EXPECT_EQ(*decode<int>(encode(std::int64_t{-5})), -5);
}

TEST(message, nesting_without_end_is_an_error) {
  message_value deep{message_value::list{}};
  for (int i = 0; i < 100; ++i) deep = {message_value::list{deep}};
  EXPECT_FALSE(message_in(message_bytes(deep)));
}

}  // namespace
}  // namespace ridge::harness
