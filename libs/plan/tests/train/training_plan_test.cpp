// SPDX-License-Identifier: Apache-2.0
#include <ridge/plan/train/training_plan.hpp>

#include <gtest/gtest.h>

namespace ridge::plan::train {
namespace {

TEST(training_plan, says_what_differs_from_the_plainest) {
  EXPECT_EQ((training_plan{.shard = sharding::none}.text()), "one GPU, micro-batch 1");
  EXPECT_EQ((training_plan{.layout = {.tensor = 8, .data = 2},
                           .micro_batch = 2,
                           .recompute = recomputation::full,
                           .shard = sharding::weights,
                           .sequence_parallel = false}
                 .text()),
            "TP 8, DP 2, micro-batch 2, ZeRO 3, full recomputation, no sequence parallelism");
}

TEST(training_plan, names_kinds_as_options_do) {
  EXPECT_EQ(name_of(recomputation::selective), "selective");
  EXPECT_EQ(name_of(sharding::gradients), "gradients");
}

}  // namespace
}  // namespace ridge::plan::train
