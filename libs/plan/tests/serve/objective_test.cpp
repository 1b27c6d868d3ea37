// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ridge/plan/serve/objective.hpp>

namespace ridge::plan::serve {
namespace {

using statistic = objective::statistic;
using testing::HasSubstr;

objective one(std::string_view text) {
  const auto all = parse_objectives(text);
  EXPECT_TRUE(all.ok()) << all.why().text();
  EXPECT_EQ(all->size(), 1U);
  return all->front();
}

TEST(Objective, ReadsMetricStatisticAndLimit) {
  const auto o = one("ttft:p95<500ms");
  EXPECT_EQ(o.metric, latency_metric::ttft);
  EXPECT_EQ(o.limited_statistic, statistic::quantile);
  EXPECT_DOUBLE_EQ(o.quantile, 0.95);
  EXPECT_DOUBLE_EQ(o.limit_s, 0.5);
  EXPECT_EQ(o.text(), "ttft:p95<500ms");
  EXPECT_DOUBLE_EQ(one("itl:p99.9<=0.1s").quantile, 0.999);
  EXPECT_EQ(one("tpot<40ms").limited_statistic, statistic::each);
  EXPECT_EQ(one("e2e:mean<2s").limited_statistic, statistic::mean);
  EXPECT_DOUBLE_EQ(one("queue:max<1.5").limit_s, 1.5e-3);
  EXPECT_DOUBLE_EQ(one("e2e<2min").limit_s, 120);
}

TEST(Objective, ReadsWhatLoadGeneratorsTakeAsGoodput) {
  EXPECT_DOUBLE_EQ(one("ttft:500").limit_s, 0.5);
  EXPECT_EQ(one("inter_token_latency:40").metric, latency_metric::tpot);
  const auto all = parse_objectives("ttft:500 tpot:40,e2el:2000");
  ASSERT_TRUE(all.ok());
  EXPECT_EQ(all->size(), 3U);
  EXPECT_DOUBLE_EQ((*all)[2].limit_s, 2);
}

TEST(Objective, SaysWhatItDoesNotUnderstand) {
  for (const auto* bad :
       {"", "ttft", "foo<1s", "ttft:p0<1s", "ttft:p100<1s", "ttft<-1s", "ttft<", "ttft:q<1s"}) {
    const auto r = parse_objectives(bad);
    ASSERT_FALSE(r.ok()) << bad;
    EXPECT_THAT(r.why().message, HasSubstr("is not an objective"));
  }
}

TEST(Objective, KnowsMlperfsPresets) {
  const auto p = objective_preset_named("mlperf-llama2-70b-interactive");
  ASSERT_TRUE(p.ok());
  EXPECT_EQ(p->objectives[0].text(), "ttft:p99<450ms");
  EXPECT_EQ(p->objectives[1].text(), "tpot:p99<40ms");
  EXPECT_EQ(objective_presets().size(), 11U);
  EXPECT_THAT(objective_preset_named("mlperf-llama2-70").why().remedy, HasSubstr("mlperf-llama2-70b"));
}

}  // namespace
}  // namespace ridge::plan::serve
