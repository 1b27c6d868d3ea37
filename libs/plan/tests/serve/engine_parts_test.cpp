// SPDX-License-Identifier: Apache-2.0
// Parts of the simulation that are quick by other means than the plain ones, held against the plain ones.
#include <algorithm>
#include <limits>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "serve/engine/block_division.hpp"
#include "serve/engine/front_end.hpp"
#include "serve/event_tournament.hpp"

namespace ridge::plan::serve {
namespace {

TEST(event_tournament, has_the_first_of_the_earliest_on_top_as_a_search_finds_it) {
  std::mt19937 random{1};
  std::uniform_int_distribution<int> time{0, 9};  // few times, so that many are equal
  for (const std::uint32_t sources : {1U, 2U, 3U, 8U, 13U}) {
    event_tournament events{sources};
    std::vector<double> plain(sources, std::numeric_limits<double>::infinity());
    EXPECT_EQ(events.top_s(), plain.front());
    for (int change = 0; change < 400; ++change) {
      const auto source = static_cast<std::uint32_t>(random() % sources);
      plain[source] = time(random) == 0 ? std::numeric_limits<double>::infinity() : time(random);
      events.set(source, plain[source]);
      const auto first = std::ranges::min_element(plain);
      ASSERT_EQ(events.top_s(), *first);
      ASSERT_EQ(events.top(), static_cast<std::uint32_t>(first - plain.begin()));
      ASSERT_EQ(events.at(source), plain[source]);
    }
  }
}

TEST(block_division, equals_division) {
  for (const std::uint32_t tokens : {1U, 3U, 16U, 48U, 512U}) {
    const block_division by{tokens};
    for (const std::uint64_t n : {0ULL, 1ULL, 15ULL, 16ULL, 17ULL, 511ULL, 4096ULL, 5'000'000'000ULL}) {
      EXPECT_EQ(by.quotient(n), n / tokens);
      EXPECT_EQ(by.remainder(n), n % tokens);
      EXPECT_EQ(by.covering(n), n / tokens + (n % tokens > 0 ? 1 : 0));
    }
  }
}

TEST(front_end, lets_a_thousand_through_in_order_and_forgets_one_that_gives_up) {
  request_table table;
  for (std::uint32_t r = 0; r < 1000; ++r) table.add({.input_tokens = 10 + r, .output_tokens = 1});
  engine_context context{{.front_end_s = 0.25, .request_s = 2}, table};
  front_end entering{context};
  for (request_id r = 0; r < 1000; ++r) entering.enter(r, 0, false);
  EXPECT_EQ(entering.left_s(50), 200);
  for (request_id r = 0; r < 600; ++r) {
    ASSERT_EQ(entering.next_s(), 2 + 0.25 * (r + 1));
    ASSERT_EQ(entering.take().id, r);
  }
  EXPECT_TRUE(entering.remove(700));
  EXPECT_FALSE(entering.remove(700));
  EXPECT_FALSE(entering.remove(3));  // it has left
  EXPECT_EQ(entering.size(), 399U);
  std::uint64_t tokens = 0;
  for (request_id last = 599; !entering.empty();) {
    const auto one = entering.take();
    EXPECT_GT(one.id, last);
    last = one.id;
    tokens += table.input_tokens(one.id);
  }
  EXPECT_EQ(tokens + table.input_tokens(700), 400 * 10 + (600 + 999) * 400 / 2);
  EXPECT_EQ(entering.tokens(), 0U);
}

}  // namespace
}  // namespace ridge::plan::serve
