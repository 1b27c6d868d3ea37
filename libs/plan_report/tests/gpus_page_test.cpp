// SPDX-License-Identifier: Apache-2.0
#include <ridge/plan_report/gpus_page.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ridge/plan/gpu_name.hpp>

namespace ridge::plan_report {
namespace {

using ::testing::AllOf;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;

const hardware::catalogue& known() { return hardware::catalogue::embedded(); }

class gpus_page : public ::testing::Test {
 protected:
  plan::price_list prices = plan::prices_in(known());
  [[nodiscard]] gpu_offer_view on(std::string_view today) const { return {&known(), &prices, today}; }
};

TEST_F(gpus_page, default_view_is_the_price_table_dearest_first) {
  const auto text = text_of(priced_gpus_page(on("2026-11-22")));
  EXPECT_THAT(text,
              AllOf(ContainsRegex("B200 SXM +\\$5.00  Latest Blackwell"),
                    ContainsRegex("H100 SXM +\\$3.50  Production inference"),
                    ContainsRegex("A100 SXM 80 GB +\\$2.00  Training/inference"),
                    ContainsRegex("L40S +\\$1.50  Inference"), ContainsRegex("A10G +\\$1.00  Cost-optimized"),
                    ContainsRegex("T4 +\\$0.500  Budget inference")));
  EXPECT_LT(text.find("B200"), text.find("H100"));
  EXPECT_LT(text.find("A10G"), text.find("T4"));
}

TEST_F(gpus_page, peaks_in_it_are_dense) {
  const auto text = text_of(priced_gpus_page(on("2026-11-22")));
  EXPECT_THAT(text, ContainsRegex("H100 SXM.*989 TFLOP/s +1.98"));
  EXPECT_THAT(text, Not(HasSubstr("3.96")));
  EXPECT_THAT(text, Not(HasSubstr("GH200 144")));  // has no price
}

TEST_F(gpus_page, what_is_unknown_is_said_so) {
  EXPECT_THAT(text_of(priced_gpus_page(on("2026-11-22"))), HasSubstr("matrix peaks of A10G"));
  EXPECT_THAT(json_of(priced_gpus_page(on("2026-11-22"))), HasSubstr("\"bf16_dense_flop_per_s\": null"));
  const auto* gh200 = plan::gpu_called(known(), "GH200").value();
  EXPECT_THAT(text_of(gpu_page(on("2026-11-22"), *gh200)), ContainsRegex("power limit +unknown"));
}

TEST_F(gpus_page, prices_older_than_ninety_days_are_doubted) {
  prices = plan::parse_prices("AcceleratorName,Price,Date\nH100,3.5,2026-11-21\n", "mine.csv", known(), "")
               .value();
  EXPECT_THAT(text_of(priced_gpus_page(on("2027-02-19"))), Not(HasSubstr("Older than")));  // 90 days
  EXPECT_THAT(
      text_of(priced_gpus_page(on("2027-02-20"))),
      AllOf(HasSubstr("Older than 90 days (from 2026-11-21)"), HasSubstr("H100 SXM"), HasSubstr("--prices")));
}

TEST_F(gpus_page, undated_and_unknown_rows_of_a_list_are_told) {
  prices = plan::parse_prices("AcceleratorName,Price\nL4,0.8\nV100,2\n", "mine.csv", known(), "").value();
  const auto text = text_of(priced_gpus_page(on("2026-11-22")));
  EXPECT_THAT(text, AllOf(HasSubstr("Of no known date: prices of L4."), HasSubstr("V100")));
}

TEST_F(gpus_page, all_keeps_dense_and_sparse_apart_and_prices_what_they_buy) {
  const auto page = all_gpus_page(on("2026-11-22"));
  const auto json = json_of(page), text = text_of(page);
  EXPECT_THAT(json, AllOf(HasSubstr("\"dense_peaks\""), HasSubstr("\"sparse_peaks\""), HasSubstr("MI355X")));
  // $3.50 for 989.43 TFLOP/s, 3.35 TB/s and 85.9 GB
  EXPECT_THAT(text, ContainsRegex("H100 SXM +\\$3.50 +\\$2.46 +\\$0.00354 +\\$1.04 +\\$0.0407"));
  EXPECT_LT(text.find("Dense peaks"), text.find("Sparse peaks"));
}

TEST_F(gpus_page, one_gpu_shows_each_figure_with_source_and_date) {
  const auto* t4 = plan::gpu_called(known(), "t4").value();
  const auto text = text_of(gpu_page(on("2026-11-22"), *t4));
  EXPECT_THAT(text, AllOf(ContainsRegex("memory +16.00 GiB +t4 +2026-11-21"),
                          ContainsRegex("int8, matrix units, dense +130 TFLOP/s +t4-int8 +2018-09-13"),
                          ContainsRegex("t4-int8 +2018-09-13 +https://geektopia")));
}

}  // namespace
}  // namespace ridge::plan_report
