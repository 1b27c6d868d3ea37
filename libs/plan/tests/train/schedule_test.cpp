// SPDX-License-Identifier: Apache-2.0
#include "train/schedule.hpp"

#include <gtest/gtest.h>

namespace ridge::plan::train {
namespace {

TEST(split_layers, counts_embedding_and_head_as_layers_where_they_fill_the_chunks) {
  const auto s = split_layers(126, {.pipeline = 8, .virtual_pipeline = 8});
  EXPECT_EQ(s.first, 15);
  EXPECT_EQ(s.middle, 16);
  EXPECT_EQ(s.last, 15);
}

TEST(split_layers, divides_evenly_where_it_can) {
  const auto s = split_layers(105, {.pipeline = 35, .virtual_pipeline = 3});
  EXPECT_EQ(s.first, 3);
  EXPECT_EQ(s.middle, 3);
  EXPECT_EQ(s.last, 3);
}

TEST(split_layers, one_stage_has_all) { EXPECT_EQ(split_layers(32, {}).last, 32); }

TEST(bubble, is_one_pass_of_every_other_stage_over_the_chunks) {
  EXPECT_DOUBLE_EQ((stage_loads{1, 1, 1, 8, 1}.bubble_s()), 7);
  EXPECT_DOUBLE_EQ((stage_loads{1, 1, 1, 8, 7}.bubble_s()), 1);
  EXPECT_DOUBLE_EQ((stage_loads{1, 1, 1, 1, 1}.bubble_s()), 0);
}

TEST(bubble, waits_for_a_heavier_last_stage_only_outside_the_ramp) {
  const stage_loads s{.first_s = 2, .middle_s = 2, .last_s = 3, .pipeline = 4, .virtual_pipeline = 1};
  EXPECT_DOUBLE_EQ(s.slowest_s(), 3);
  EXPECT_DOUBLE_EQ(s.bubble_s(), 6);
}

TEST(micro_batches, rounds_up_and_is_never_none) {
  EXPECT_EQ(micro_batches(1152, 4, 1), 288);
  EXPECT_EQ(micro_batches(10, 4, 1), 3);
  EXPECT_EQ(micro_batches(1, 64, 8), 1);
}

}  // namespace
}  // namespace ridge::plan::train
