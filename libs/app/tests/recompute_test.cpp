// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include <gtest/gtest.h>

#include "stored/recompute.hpp"

namespace ridge::app {
namespace {

// Twelve pairs whose log ratios are ln 2 + (i - 5.5) / 1000: everything follows by hand.
model::run honest() {
  model::series slow, fast;
  for (std::uint32_t i = 0; i < 12; ++i) {
    slow.value.push_back(2 * std::exp((static_cast<double>(i) - 5.5) / 1000));
    fast.value.push_back(1);
    slow.block.push_back(i);
    fast.block.push_back(i);
  }
  model::family f;
  f.experiment = "ch01.x";
  model::measurement reference{.variant = "slow"}, candidate{.variant = "fast"};
  reference.metrics.push_back({.metric = {}, .median = 2 * (std::exp(-0.0005) + std::exp(0.0005)) / 2});
  candidate.metrics.push_back({.metric = {}, .median = 1});
  reference.samples.push_back(slow);
  candidate.samples.push_back(fast);
  f.measurements = {reference, candidate};
  f.comparisons.push_back({.reference = "slow",
                           .candidate = "fast",
                           .ratio = 2,
                           .ci = {2 * std::exp(-0.0035), 2 * std::exp(0.0035)},
                           .level = 0.95,
                           .verdict = model::verdict::better});
  model::run run;
  run.families.push_back(f);
  return run;
}

TEST(recompute, agrees_with_what_follows_from_the_samples) {
  const auto seen = recompute(honest());
  EXPECT_EQ(seen.comparisons, 1u);
  EXPECT_EQ(seen.medians, 2u);
  EXPECT_TRUE(seen.differences.empty()) << seen.differences.front();
}

TEST(recompute, finds_each_figure_typed_by_hand) {
  const auto differences_after = [](auto change) {
    auto run = honest();
    change(run.families.front());
    return recompute(run).differences.size();
  };
  EXPECT_EQ(differences_after([](auto& f) { f.measurements[0].metrics[0].median = 3; }), 1u);
  EXPECT_EQ(differences_after([](auto& f) { f.comparisons[0].ratio = 2.1; }), 1u);
  EXPECT_EQ(differences_after([](auto& f) { f.comparisons[0].ci.lo = 1.99; }), 1u);
  EXPECT_EQ(differences_after([](auto& f) { f.comparisons[0].verdict = model::verdict::equivalent; }), 1u);
  // Symmetric ranks, but too few observations outside for 95 %: [x_(5), x_(8)].
  EXPECT_EQ(differences_after([](auto& f) {
              f.comparisons[0].ci = {2 * std::exp(-0.0015), 2 * std::exp(0.0015)};
            }),
            1u);
}

// A gain that is not above the noise floor, which runs know of that hold a check of it.
TEST(recompute, holds_runs_to_the_rules_that_they_were_made_by) {
  auto run = honest();
  auto& c = run.families.front().comparisons.front();
  c.aa = {0.4, 2.5};
  EXPECT_TRUE(recompute(run).differences.empty()) << "no check of the noise floor then";
  c.checks = {{.id = "noise", .result = model::outcome::warn}};
  EXPECT_EQ(recompute(run).differences.size(), 1u);
}

TEST(recompute, holds_the_ratio_to_its_interval) {
  auto run = honest();
  auto& c = run.families.front().comparisons.front();
  c.pairs = 12;
  run.started = "2026-11-24T10:00:00Z";
  EXPECT_TRUE(recompute(run).differences.empty()) << recompute(run).differences.front();
  c.ci = {2.1, 2.2};
  const auto outside = recompute(run).differences;
  ASSERT_EQ(outside.size(), 2u);
  EXPECT_NE(outside.front().find("the ratio 2 lies outside its interval [2.1, 2.2]"), std::string::npos)
      << outside.front();
  run.started = "2026-11-22T10:00:00Z";
  EXPECT_EQ(recompute(run).differences.size(), 1u) << "the interval alone, as such runs were made";
  run.started = "2026-11-24T10:00:00Z";
  c.pairs = 0;
  EXPECT_EQ(recompute(run).differences.size(), 1u) << "without pairs there is nothing to lie outside of";
}

}  // namespace
}  // namespace ridge::app
