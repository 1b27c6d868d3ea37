// SPDX-License-Identifier: Apache-2.0
#include <ridge/plan_report/cost_page.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ridge::plan_report {
namespace {

using ::testing::AllOf;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;

plan::cost_question older_question() {
  plan::cost_question q;
  q.electricity.power_w = 800;
  q.tokens_per_s = 1500;
  return q;
}

report::document page_of(const plan::cost_question& q, bool show_sensitivity = false) {
  const auto a = plan::cost_per_token(q).value();
  return cost_page({.asked = &q,
                    .answer = &a,
                    .sensitivity = plan::sensitivity(q),
                    .bands = plan::draw_cost_bands(q, 100, 1),
                    .show_sensitivity = show_sensitivity});
}

TEST(cost_page, electricity_is_one_line_of_the_whole) {
  const auto page = page_of(older_question());
  EXPECT_THAT(text_of(page), ContainsRegex("electricity +\\$0.0356 +100.00 %"));
  EXPECT_THAT(json_of(page),
              AllOf(HasSubstr("\"electricity_usd_per_mtok\": 0.03555"),
                    HasSubstr("\"total_usd_per_mtok\": 0.03555"), HasSubstr("\"joules_per_token\": 0.8"),
                    HasSubstr("\"input_usd_per_mtok\": null"), HasSubstr("\"pue\": 1.5")));
}

TEST(cost_page, the_pue_is_shown) { EXPECT_THAT(text_of(page_of(older_question())), HasSubstr("PUE 1.5")); }

TEST(cost_page, power_in_the_rent_is_marked) {
  auto q = older_question();
  q.tenure = plan::tenure::on_demand;
  q.rent.usd_per_gpu_hour = 3.5;
  q.electricity.in_rent = true;
  EXPECT_THAT(text_of(page_of(q)), AllOf(ContainsRegex("rent, on demand +\\$0.648 +100.00 %"),
                                         HasSubstr("electricity (in the rent)")));
}

TEST(cost_page, split_shows_each_kind_with_its_share) {
  auto q = older_question();
  q.tokens_per_s = 0;
  q.rates = plan::phase_rates{.input_per_s = 10000, .output_per_s = 1000};
  q.lengths = plan::request_lengths{.input = 1000, .output = 300};  // 0.1 s and 0.3 s
  EXPECT_THAT(text_of(page_of(q)),
              AllOf(ContainsRegex("input +1000 .* 25.00 %"), ContainsRegex("output +300 .* 75.00 %")));
}

TEST(cost_page, sensitivity_is_text_only_when_asked_and_json_always) {
  EXPECT_THAT(text_of(page_of(older_question())), Not(HasSubstr("swing")));
  EXPECT_THAT(text_of(page_of(older_question(), true)), ContainsRegex("throughput +1500"));
  EXPECT_THAT(json_of(page_of(older_question())), HasSubstr("\"swing_usd_per_mtok\""));
}

TEST(cost_page, an_api_that_is_always_cheaper_is_said_so) {
  auto q = older_question();
  q.api_usd_per_mtok = 0.001;
  EXPECT_THAT(text_of(page_of(q)), HasSubstr("API is cheaper at any utilization"));
  q.api_usd_per_mtok = 0.0711111;
  EXPECT_THAT(text_of(page_of(q)), HasSubstr("utilization of 50.0 %"));
}

}  // namespace
}  // namespace ridge::plan_report
