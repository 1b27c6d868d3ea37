// SPDX-License-Identifier: Apache-2.0
#include <random>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ridge/plan/serve/simulated_cluster.hpp>
#include <ridge/plan/serve/summary.hpp>
#include <ridge/stats/quantile.hpp>

namespace ridge::plan::serve {
namespace {

served_request served(double arrival_s, double ttft_s, double tpot_s, std::uint32_t output = 11,
                      std::uint16_t tenant = 0) {
  served_request r{.arrival_s = arrival_s, .scheduled_s = arrival_s + ttft_s / 2};
  r.first_token_s = arrival_s + ttft_s;
  r.last_token_s = r.first_token_s + tpot_s * (output - 1);
  r.prompt_tokens = 100, r.output_tokens = output, r.tenant = tenant;
  r.ended = outcome::finished;
  return r;
}

serving_summary summary_of(const std::vector<served_request>& all, std::string_view objectives = "",
                           std::vector<std::string> tenants = {}) {
  cluster_run run;
  run.requests = all;
  workload asked;
  asked.tenants = std::move(tenants);
  std::vector<objective> wanted;
  if (!objectives.empty()) wanted = *parse_objectives(objectives);
  return summarize(asked, run, wanted);
}

TEST(Summary, QuantilesAreThoseOfSortedValues) {
  std::mt19937_64 random(3);
  std::exponential_distribution<double> exponential;
  for (const std::size_t n : {1U, 2U, 3U, 10U, 997U}) {
    std::vector<double> x(n);
    for (auto& v : x) v = exponential(random);
    const auto s = summarize(x);
    std::ranges::sort(x);
    EXPECT_DOUBLE_EQ(s.p50_s, stats::sorted_quantile(x, 0.5)) << n;
    EXPECT_DOUBLE_EQ(s.p90_s, stats::sorted_quantile(x, 0.9)) << n;
    EXPECT_DOUBLE_EQ(s.p95_s, stats::sorted_quantile(x, 0.95)) << n;
    EXPECT_DOUBLE_EQ(s.p99_s, stats::sorted_quantile(x, 0.99)) << n;
    EXPECT_DOUBLE_EQ(s.p999_s, stats::sorted_quantile(x, 0.999)) << n;
    EXPECT_DOUBLE_EQ(s.max_s, x.back());
  }
  EXPECT_EQ(summarize(std::vector<double>{}).count, 0);
}

TEST(Summary, TpotLeavesTheFirstTokenOut) {
  const auto s = summary_of({served(0, 1, 0.05), served(0, 3, 0.07), served(0, 2, 0, 1)});
  EXPECT_NEAR(s.tpot.mean_s, 0.06, 1e-12);  // a single token has none
  EXPECT_EQ(s.tpot.count, 2);
  EXPECT_NEAR(s.ttft.mean_s, 2, 1e-12);
  EXPECT_NEAR(s.e2e.max_s, 3.7, 1e-12);
  EXPECT_NEAR(s.queue.p50_s, 1, 1e-12);
}

TEST(Summary, GoodputCountsWhoIsBelowEveryLimit) {
  // Below both: 1st and 4th. The slow first token and the slow answer fail one each; the rejected one fails.
  auto turned_away = served(3, 0, 0);
  turned_away.ended = outcome::rejected;
  const auto s = summary_of(
      {served(0, 0.3, 0.03), served(1, 0.9, 0.03), served(2, 0.3, 0.06), served(3, 0.49, 0.039), turned_away},
      "ttft<500ms,tpot:p50<40ms");
  const double duration = 3.49 + 0.39;
  EXPECT_NEAR(s.duration_s, duration, 1e-12);
  EXPECT_NEAR(s.goodput_requests_per_s, 2 / duration, 1e-12);
  EXPECT_NEAR(s.good_share, 0.4, 1e-12);
  EXPECT_NEAR(s.objectives[0].good_share, 0.6, 1e-12);
  EXPECT_FALSE(s.objectives[0].met);  // without a statistic 90 % must meet it
  EXPECT_TRUE(s.objectives[1].met);   // the median is 34.5 ms
  EXPECT_NEAR(s.objectives[1].value_s, 0.0345, 1e-12);
  EXPECT_FALSE(s.objectives_met);
  EXPECT_EQ(s.rejected, 1);
}

TEST(Summary, ThroughputIsOverTheTimeFromFirstArrivalToLastToken) {
  const auto s = summary_of({served(10, 1, 0.1), served(15, 1, 0.1)});
  EXPECT_NEAR(s.duration_s, 7, 1e-12);
  EXPECT_NEAR(s.throughput_tokens_per_s, 22 / 7.0, 1e-12);
  EXPECT_NEAR(s.total_tokens_per_s, 222 / 7.0, 1e-12);
}

TEST(Summary, JainsIndexIsOneForEqualsAndOneOverNForOne) {
  EXPECT_DOUBLE_EQ(jain_index(std::vector<double>{3, 3, 3}), 1);
  EXPECT_DOUBLE_EQ(jain_index(std::vector<double>{5, 0, 0, 0}), 0.25);
  EXPECT_DOUBLE_EQ(jain_index(std::vector<double>{1, 2}), 0.9);
  const auto s = summary_of({served(0, 0, 0.1, 11, 0), served(0, 0, 0.2, 11, 1)}, "", {"a", "b"});
  EXPECT_NEAR(s.tenants[0].speed_tokens_per_s, 11, 1e-9);
  EXPECT_NEAR(s.fairness, 0.9, 1e-9);
}

// The load exceeds what is served in the first half alone: no trend is left in the second, but a backlog.
TEST(Summary, ABacklogThatNeverGoesIsSaturation) {
  std::vector<served_request> late, short_wait;
  for (int i = 0; i < 4000; ++i) {
    auto waits = served(i / 10.0, 60 + 0.5 * ((i * 7919) % 13) / 13, 0.1);
    waits.scheduled_s = waits.arrival_s + 59;
    late.push_back(waits);
    waits.scheduled_s = waits.arrival_s + 0.1, waits.first_token_s = waits.arrival_s + 0.2;
    short_wait.push_back(waits);
  }
  const auto backlog = saturation_of(late);
  EXPECT_TRUE(backlog.saturated);
  EXPECT_FALSE(backlog.growing);
  EXPECT_TRUE(backlog.backlogged);
  EXPECT_NEAR(backlog.mean_waiting, 590, 10);
  EXPECT_THAT(backlog.evidence, testing::HasSubstr("never empties"));
  EXPECT_FALSE(saturation_of(short_wait).saturated);
}

TEST(Summary, FewRequestsAndClosedLoopsHaveNoVerdict) {
  EXPECT_FALSE(saturation_of(std::vector<served_request>(5, served(0, 1, 0))).tested);
  cluster_run run;
  for (int i = 0; i < 2000; ++i) run.requests.push_back(served(i / 10.0, i / 9.0 - i / 10.0 + 0.1, 0));
  workload loop;
  loop.clients = 16;
  const auto s = summarize(loop, run, {});
  EXPECT_FALSE(s.saturated.tested);
  EXPECT_FALSE(s.saturated.saturated);
  EXPECT_THAT(s.saturated.evidence, testing::HasSubstr("closed loop of 16"));
}

TEST(Summary, SaturationIsAQueueThatGrows) {
  std::vector<served_request> grows, steady, once;
  for (int i = 0; i < 2000; ++i) {
    // Ten a second come; nine a second are served, or all of them after two seconds.
    grows.push_back(served(i / 10.0, i / 9.0 - i / 10.0 + 0.1, 0));
    steady.push_back(served(i / 10.0, 2 + 0.5 * ((i * 7919) % 13) / 13, 0));
    once.push_back(served(0, i / 9.0, 0));
  }
  const auto a = saturation_of(grows), b = saturation_of(steady), c = saturation_of(once);
  EXPECT_TRUE(a.saturated);
  EXPECT_NEAR(a.queue_slope_per_s, 1, 0.05);
  EXPECT_LE(a.lower_slope_per_s, a.queue_slope_per_s);
  EXPECT_FALSE(b.saturated);
  EXPECT_NEAR(b.queue_slope_per_s, 0, 0.02);
  EXPECT_FALSE(c.saturated);
  EXPECT_THAT(c.evidence, testing::HasSubstr("at once"));
}

TEST(DurationHistogram, QuantilesAreWithinABin) {
  duration_histogram h;
  for (int i = 1; i <= 1000; ++i) h.add(i * 1e-3, 2);
  EXPECT_EQ(h.count(), 2000);
  EXPECT_NEAR(h.mean_s(), 0.5005, 1e-12);
  EXPECT_DOUBLE_EQ(h.maximum_s(), 1);
  for (const double q : {0.1, 0.5, 0.9, 0.99}) EXPECT_NEAR(h.quantile_s(q), q, 0.009 * q);
  EXPECT_NEAR(h.share_below(0.25), 0.25, 0.005);
  duration_histogram other;
  other.add(5, 2000);
  h.merge(other);
  EXPECT_NEAR(h.quantile_s(0.75), 5, 0.06);
}

}  // namespace
}  // namespace ridge::plan::serve
