// SPDX-License-Identifier: Apache-2.0
#include <ridge/plan_report/cluster_page.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ridge::plan_report {
namespace {

using ::testing::AllOf;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;

class cluster_page_shown : public ::testing::Test {
 protected:
  plan::serving_load load{.requests_per_s = 20, .peak_factor = 2, .lengths = {{1000, 200, 1}}};
  plan::latency_objective slo{.ttft_s = 0.5, .tpot_s = 0.04};
  plan::replica_policy policy{};
  plan::cluster_answer answer{};
  [[nodiscard]] cluster_view view() const {
    return {.model = "m", .load = &load, .slo = &slo, .policy = &policy, .answer = &answer};
  }
  static plan::cluster_choice choice() {
    plan::cluster_choice c{
        .gpu = "X", .gpus_per_replica = 2, .replicas = 3, .gpus = 6, .max_requests_per_s = 12.5};
    c.limit = plan::binding::kv_cache;
    c.usd_per_hour = 21;
    c.peak.ttft_quantile_s = 0.25;
    c.peak.tpot_quantile_s = 0.03;
    return c;
  }
};

TEST_F(cluster_page_shown, names_the_first_choice_and_what_limits_each) {
  answer.choices = {choice()};
  const auto page = cluster_page(view());
  EXPECT_THAT(text_of(page),
              AllOf(HasSubstr("20 requests per second of m: 6 X, $21.00 per hour"),
                    ContainsRegex("X +2 +3 +6 +\\$21.00 +250 +30 +12.5  kv cache"), HasSubstr("closed form"),
                    HasSubstr("errors of up to 30 % in both directions")));
  EXPECT_THAT(json_of(page), AllOf(HasSubstr("\"choices\": ["), HasSubstr("\"limit\": \"kv cache\""),
                                   HasSubstr("\"usd_per_mtok\": null"), HasSubstr("\"ttft_ms\": 250")));
}

TEST_F(cluster_page_shown, rejected_gpus_say_why) {
  auto c = choice();
  c.limit = plan::binding::memory;
  c.rejected = "it does not fit";
  answer.rejected = {c};
  EXPECT_THAT(text_of(cluster_page(view())), AllOf(HasSubstr("no choice"), HasSubstr("no GPU serves this"),
                                                   ContainsRegex("X +2  memory  it does not fit")));
}

TEST_F(cluster_page_shown, simulated_figures_stand_beside_the_closed_form) {
  answer.choices = {choice()};
  auto v = view();
  v.simulated = {{.ttft_quantile_s = 0.3, .tpot_quantile_s = 0.028, .requests = 5000, .met = true}};
  EXPECT_THAT(text_of(cluster_page(v)), ContainsRegex("X +2 +5 000 +300 +250 +28 +30 +0  yes"));
}

}  // namespace
}  // namespace ridge::plan_report
