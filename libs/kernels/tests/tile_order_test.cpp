// SPDX-License-Identifier: Apache-2.0
#include <ridge/kernels/tile_order.hpp>

#include <set>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <ridge/kernels/tile_choice.hpp>

namespace ridge::kernels {
namespace {

TEST(TileOrder, VisitsEveryTileOnce) {
  for (unsigned rows : {1U, 3U, 8U, 11U})
    for (unsigned columns : {1U, 2U, 9U})
      for (unsigned band : {1U, 4U, 16U}) {
        const tile_order order{rows, columns, band};
        std::set<std::pair<unsigned, unsigned>> seen;
        for (unsigned i = 0; i < order.tiles(); ++i) {
          const auto place = order.place(i);
          EXPECT_LT(place.row, rows);
          EXPECT_LT(place.column, columns);
          seen.insert({place.row, place.column});
        }
        EXPECT_EQ(seen.size(), rows * columns);
      }
}

TEST(TileOrder, NeighboursInTimeAreNeighboursInSpace) {
  const tile_order order{8, 5, 4};
  for (unsigned i = 1; i < order.tiles(); ++i) {
    const auto a = order.place(i - 1), b = order.place(i);
    const auto apart = [](unsigned x, unsigned y) { return x < y ? y - x : x - y; };
    EXPECT_LE(apart(a.column, b.column), 1U) << i;
    EXPECT_LE(apart(a.row, b.row), 4U) << i;
  }
}

// How often each step of each tile is added, over all teams.
template <class Schedule>
std::vector<std::vector<int>> additions(const Schedule& schedule, unsigned teams) {
  std::vector<std::vector<int>> added(schedule.order.tiles(), std::vector<int>(schedule.steps));
  for (unsigned team = 0; team < teams; ++team) {
    tile_share share;
    for (unsigned i = 0; schedule.share(team, teams, i, share); ++i)
      for (unsigned step = share.first; step < share.end; ++step) ++added[share.tile][step];
  }
  return added;
}

TEST(Schedules, AddEveryStepOnce) {
  for (unsigned tiles : {1U, 5U, 15U, 40U})
    for (unsigned steps : {1U, 4U, 7U})
      for (unsigned teams : {1U, 6U, 16U}) {
        const tile_order order{tiles, 1, 1};
        const std::vector once(tiles, std::vector<int>(steps, 1));
        EXPECT_EQ(additions(whole_tiles{order, steps}, teams), once);
        for (unsigned split : {0U, 1U, tiles})
          EXPECT_EQ(additions(equal_runs{order, steps, split}, teams), once);
      }
}

TEST(EqualRuns, ATeamLeavesPartialSumsOfOneTileAtMost) {
  const equal_runs schedule{{17, 1, 1}, 5, 17};
  for (unsigned team = 0; team < 6; ++team) {
    tile_share share;
    int helped = 0;
    for (unsigned i = 0; schedule.share(team, 6, i, share); ++i) helped += share.first > 0 ? 1 : 0;
    EXPECT_LE(helped, 1);
  }
}

TEST(TileChoice, RoundsDecideWhereTilesDoNotDivide) {
  constexpr tile_extent wide{128, 256, 2, 1}, narrow{128, 192, 2, 1};
  // 4096 x 4096: 4 rounds of 66 pairs against 6 shorter ones; 1408 x 4224: 2 against 2.
  EXPECT_LT(product_cycles(wide, {4096, 4096, 64}, 132), product_cycles(narrow, {4096, 4096, 64}, 132));
  EXPECT_LT(product_cycles(narrow, {1408, 4224, 128}, 132), product_cycles(wide, {1408, 4224, 128}, 132));
}

TEST(TileChoice, MultiplicationBoundsWideTilesAndTheCacheNarrowOnesAlone) {
  const auto share_of_products = [](tile_extent t) { return t.rows * t.columns / 32.0 / step_cycles(t); };
  EXPECT_GT(share_of_products({128, 256, 2, 1}), 0.93);
  EXPECT_GT(share_of_products({128, 192, 2, 1}), 0.92);
  EXPECT_LT(share_of_products({128, 192, 1, 1}), 0.9);
}

// At 8192, 16 rounds of 256 columns take as many products as 21 of 192, and fewer bytes of the cache; at 2048
// one round is all, and blocks alone begin sooner.
TEST(TileChoice, TheCachesBytesDecideWhereProductsDoNot) {
  constexpr tile_extent pairs{128, 256, 2, 1}, narrow_pairs{128, 192, 2, 1}, alone{128, 256, 1, 1};
  EXPECT_LT(product_cycles(pairs, {8192, 8192, 128}, 132),
            product_cycles(narrow_pairs, {8192, 8192, 128}, 132));
  EXPECT_LT(product_cycles(pairs, {8192, 8192, 128}, 132), product_cycles(alone, {8192, 8192, 128}, 132));
  EXPECT_LT(product_cycles(alone, {2048, 2048, 32}, 132), product_cycles(pairs, {2048, 2048, 32}, 132));
}

}  // namespace
}  // namespace ridge::kernels
