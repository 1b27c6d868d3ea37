// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include <gmock/gmock.h>

#include <ridge/analysis/whatif.hpp>

namespace ridge::analysis {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constraint limit(std::string_view text) {
  auto c = parse_constraint(text);
  EXPECT_TRUE(c) << text;
  return *c;
}

TEST(Constraint, ReadsQuantityQuantileAndUnit) {
  const auto c = limit("ttft p95 <= 500ms");
  EXPECT_EQ(c.key(), "ttft.p95");
  EXPECT_DOUBLE_EQ(c.limit, 0.5);
  EXPECT_TRUE(c.at_most);
  EXPECT_EQ(limit("ttft:p99.9<2s").key(), "ttft.p99.9");
  EXPECT_DOUBLE_EQ(limit("vram<24").limit, 24 * 1073741824.0);  // GiB
  EXPECT_DOUBLE_EQ(limit("vram<24GB").limit, 24e9);
  EXPECT_DOUBLE_EQ(limit("cost<0.5/Mtok").limit, 0.5);
  EXPECT_DOUBLE_EQ(limit("cost<$0.5").limit, 0.5);
  EXPECT_DOUBLE_EQ(limit("power<10kW").limit, 1e4);
  EXPECT_DOUBLE_EQ(limit("quality>=-1%").limit, -0.01);
  EXPECT_FALSE(limit("throughput>2000").at_most);
  EXPECT_DOUBLE_EQ(limit("latency<100").limit, 0.1);  // ms
  EXPECT_DOUBLE_EQ(limit("latency<1h").limit, 3600);
}

TEST(Constraint, RefusesWhatMakesNoSense) {
  for (const auto* text :
       {"vram", "vram<", "vram<24ms", "latency<5GB", "speed<3", "ttft q95<1s", "power<1..2kW", "cost<1ms"}) {
    const auto c = parse_constraint(text);
    EXPECT_FALSE(c) << text;
  }
  EXPECT_THAT(parse_constraint("speed<3").why().text(), HasSubstr("vram, latency, ttft"));
}

std::vector<candidate> three() {
  return {{.name = "bf16",
           .settings = {{"kv", "bf16"}, {"tp", "1"}},
           .values = {{"vram", 30e9}, {"latency", 0.05}, {"cost", 1.0}}},
          {.name = "fp8",
           .settings = {{"kv", "fp8"}, {"tp", "1"}},
           .values = {{"vram", 20e9}, {"latency", 0.04}, {"cost", 0.8}}},
          {.name = "two",
           .settings = {{"kv", "fp8"}, {"tp", "2"}},
           .values = {{"vram", 11e9}, {"latency", 0.02}, {"cost", 1.5}}}};
}

TEST(WhatIf, OrdersWhatFitsAndNamesTheBindingConstraint) {
  const std::vector<constraint> limits{limit("vram<24GB"), limit("latency<100ms")};
  const auto a = solve_whatif(three(), limits, {.key = "cost"}, 0);
  ASSERT_EQ(a.feasible.size(), 2);
  EXPECT_EQ(a.feasible[0].candidate, 1);
  EXPECT_EQ(a.feasible[0].binding, 0);  // 20 of 24 GB, 40 of 100 ms
  EXPECT_THAT(a.rejected[0].violated, ElementsAre(0));
  ASSERT_TRUE(a.nearest);
  EXPECT_EQ(a.nearest->target, 1);
  EXPECT_THAT(a.nearest->settings, ElementsAre("kv"));
}

TEST(WhatIf, SaysWhatConflictsAndTheLeastRelaxation) {
  const std::vector<constraint> limits{limit("vram<24GB"), limit("latency<30ms"), limit("cost<1.2")};
  const auto a = solve_whatif(three(), limits, {.key = "cost"});
  EXPECT_TRUE(a.feasible.empty());
  // fp8 misses latency, two misses cost, bf16 misses memory and latency: latency and cost shut all three out.
  EXPECT_THAT(a.conflict, ElementsAre(1, 2));
  ASSERT_FALSE(a.relaxations.empty());
  EXPECT_THAT(a.relaxations[0].constraints, ElementsAre(2));  // cost to 1.5: 25 %, latency to 40 ms: 33 %
  EXPECT_DOUBLE_EQ(a.relaxations[0].limits[0], 1.5);
  EXPECT_EQ(a.relaxations[0].opens, 2);
}

TEST(WhatIf, AnUnknownValueIsNeverAssumedToFit) {
  const std::vector<constraint> limits{limit("power<10kW")};
  const auto a = solve_whatif(three(), limits, {.key = "cost"});
  EXPECT_TRUE(a.feasible.empty());
  EXPECT_THAT(a.rejected[0].unknown, ElementsAre(0));
  EXPECT_TRUE(a.relaxations.empty());
}

TEST(WhatIf, NothingLimitedMeansEverythingFits) {
  const auto a = solve_whatif(three(), {}, {.key = "latency"});
  ASSERT_EQ(a.feasible.size(), 3);
  EXPECT_EQ(a.feasible[0].candidate, 2);
  EXPECT_TRUE(solve_whatif({}, {}, {}).feasible.empty());
}

TEST(WhatIf, SensitivityMovesOneLimit) {
  const std::vector<constraint> limits{limit("vram<19GB"), limit("latency<1s")};
  const auto s = sensitivities(three(), limits, {.key = "cost"});
  EXPECT_DOUBLE_EQ(s[0].looser, 0.8);  // 20.9 GB lets fp8 in
  EXPECT_DOUBLE_EQ(s[0].tighter, 1.5);
  EXPECT_DOUBLE_EQ(s[1].tighter, 1.5);
  const std::vector<constraint> hard{limit("vram<11.5GB")};
  EXPECT_TRUE(std::isnan(sensitivities(three(), hard, {.key = "cost"})[0].tighter));
}

}  // namespace
}  // namespace ridge::analysis
