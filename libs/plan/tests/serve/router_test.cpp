// SPDX-License-Identifier: Apache-2.0
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ridge/plan/serve/router.hpp>

namespace ridge::plan::serve {
namespace {

std::size_t routed(router_kind kind, const std::vector<replica_view>& views, std::uint64_t index = 0,
                   std::uint64_t round = 0, std::int64_t home = -1) {
  return route({.kind = kind}, views, index, round, home);
}

TEST(Router, PrefixTakesTheExampleOfDynamosDocumentation) {
  EXPECT_EQ(prefix_cost(1, 8, 10), 18);
  EXPECT_EQ(prefix_cost(1, 5, 5), 10);
  EXPECT_EQ(prefix_cost(1, 2, 9), 11);
  const std::vector<replica_view> views{{.decode_blocks = 10, .prefill_blocks = 8},
                                        {.decode_blocks = 5, .prefill_blocks = 5},
                                        {.decode_blocks = 9, .prefill_blocks = 2}};
  EXPECT_EQ(routed(router_kind::prefix, views), 1U);
  // More weight on what is cached: the third has most of the prompt.
  EXPECT_EQ(route({.kind = router_kind::prefix, .overlap_weight = 2}, views, 0, 0, -1), 2U);
}

TEST(Router, NeverSendsToWhoIsDown) {
  const std::vector<replica_view> views{{.up = false}, {.unfinished = 9, .kv_use = 0.9}, {.up = false}};
  for (const auto kind :
       {router_kind::random, router_kind::round_robin, router_kind::shortest_queue, router_kind::power_of_two,
        router_kind::least_kv, router_kind::prefix, router_kind::session, router_kind::earliest_deadline}) {
    for (std::uint64_t i = 0; i < 20; ++i) EXPECT_EQ(routed(kind, views, i, i, 0), 1U);
  }
}

TEST(Router, EachLooksAtItsOwnMeasure) {
  const std::vector<replica_view> views{{.unfinished = 3, .kv_use = 0.1, .predicted_ttft_s = 3},
                                        {.unfinished = 2, .kv_use = 0.5, .predicted_ttft_s = 1},
                                        {.unfinished = 2, .kv_use = 0.1, .predicted_ttft_s = 2}};
  EXPECT_EQ(routed(router_kind::shortest_queue, views), 1U);
  EXPECT_EQ(routed(router_kind::least_kv, views), 0U);
  EXPECT_EQ(routed(router_kind::earliest_deadline, views), 1U);
  EXPECT_EQ(routed(router_kind::session, views, 0, 0, 2), 2U);
  EXPECT_EQ(routed(router_kind::session, views), 1U);
  for (std::uint64_t i = 0; i < 6; ++i) EXPECT_EQ(routed(router_kind::round_robin, views, 0, i), i % 3);
}

TEST(Router, RandomIsEvenAndTwoChoicesAvoidTheWorst) {
  std::vector<replica_view> views(4);
  views[3].unfinished = 100;
  std::vector<int> random(4), two(4);
  for (std::uint64_t i = 0; i < 8000; ++i) {
    ++random[routed(router_kind::random, views, i)];
    ++two[routed(router_kind::power_of_two, views, i)];
  }
  for (const int n : random) EXPECT_NEAR(n, 2000, 200);
  EXPECT_EQ(two[3], 0);  // the other of any two is shorter
  for (int i = 0; i < 3; ++i) EXPECT_GT(two[static_cast<std::size_t>(i)], 1200);
}

TEST(Router, IsFoundByItsNames) {
  EXPECT_EQ(*router_named("jsq"), router_kind::shortest_queue);
  EXPECT_EQ(*router_named("prefix"), router_kind::prefix);
  EXPECT_THAT(router_named("round-robbin").why().remedy, testing::HasSubstr("round-robin"));
}

}  // namespace
}  // namespace ridge::plan::serve
