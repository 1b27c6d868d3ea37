// SPDX-License-Identifier: Apache-2.0
#include <ridge/plan/price_list.hpp>

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ridge::plan {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

const hardware::catalogue& embedded_gpus() { return hardware::catalogue::embedded(); }

price_list parsed(std::string_view csv) {
  auto list = parse_prices(csv, "vms.csv", embedded_gpus(), "2026-11-01");
  EXPECT_TRUE(list.ok()) << (list.ok() ? "" : list.why().text());
  return list.ok() ? std::move(list).value() : price_list{};
}

std::string price_complaint(std::string_view csv) {
  const auto list = parse_prices(csv, "vms.csv", embedded_gpus(), "2026-11-01");
  return list.ok() ? "accepted" : list.why().text();
}

TEST(price_list, an_instance_of_eight_is_divided_by_eight) {
  const auto list = parsed(
      "InstanceType,vCPUs,MemoryGiB,AcceleratorName,AcceleratorCount,GpuInfo,Price,SpotPrice,Region,"
      "AvailabilityZone\n"
      "p5.48xlarge,192,2048,H100,8,,98.32,19.6,us-east-1,us-east-1a\n"
      "p5.48xlarge,192,2048,H100,8,,90.4,,us-west-2,\n");
  ASSERT_NE(list.lowest("H100 SXM"), nullptr);
  EXPECT_DOUBLE_EQ(list.lowest("H100 SXM")->usd_per_hour, 11.3);  // 90.40 / 8
  EXPECT_EQ(list.lowest("H100 SXM")->region, "us-west-2");
  EXPECT_DOUBLE_EQ(list.lowest("H100 SXM", true)->usd_per_hour, 2.45);
  EXPECT_EQ(list.lowest("H100 SXM", true)->region, "us-east-1a");
  EXPECT_EQ(list.lowest("H100 SXM")->date, "2026-11-01");
  EXPECT_EQ(list.count_of("H100 SXM"), 3u);
  EXPECT_EQ(list.lowest("B200 SXM"), nullptr);
}

TEST(price_list, a100_is_the_one_whose_memory_is_told) {
  const auto list = parsed(
      "AcceleratorName,AcceleratorCount,Price,GpuInfo\n"
      "A100,8,10.32,\"{'Gpus': [{'Name': 'A100', 'MemoryInfo': {'SizeInMiB': 40960}}], 'Total': 1}\"\n"
      "A100-80GB,1,2.1,\n"
      "A100,1,1.2,\n");
  ASSERT_EQ(list.prices.size(), 3u);
  EXPECT_EQ(list.prices[0].gpu, "A100 SXM 40 GB");
  EXPECT_DOUBLE_EQ(list.prices[0].usd_per_hour, 1.29);
  EXPECT_EQ(list.prices[1].gpu, "A100 SXM 80 GB");
  EXPECT_EQ(list.prices[2].gpu, "A100 SXM 40 GB");
}

TEST(price_list, rows_without_gpu_or_of_unknown_ones_are_no_error) {
  const auto list = parsed(
      "\xEF\xBB\xBF"
      "Price,AcceleratorName,Date\r\n0.2,,\r\n4.4,V100,\r\n9,V100,\r\n1.5,L40S,2026-01-02\r\n,T4,\r\n\r\n");
  EXPECT_THAT(list.unknown, ElementsAre("V100"));
  EXPECT_EQ(list.without_price, 1u);
  ASSERT_EQ(list.prices.size(), 1u);
  EXPECT_EQ(list.prices[0].date, "2026-01-02");
  EXPECT_EQ(list.prices[0].source, "vms.csv");
}

TEST(price_list, quoted_cells_hold_commas_and_quotes) {
  const auto list = parsed("InstanceType,AcceleratorName,Price\n\"a \"\"b\"\", c\",L4,0.7");
  ASSERT_EQ(list.prices.size(), 1u);
  EXPECT_EQ(list.prices[0].instance, "a \"b\", c");
}

TEST(price_list, what_is_no_price_is_named_with_its_row) {
  EXPECT_THAT(price_complaint("AcceleratorName,Price\nL4,cheap\n"),
              AllOf(HasSubstr("vms.csv, row 2: Price is \"cheap\""), HasSubstr("dollars")));
  EXPECT_THAT(price_complaint("AcceleratorName,Price\nL4,0.7\nL4,-1\n"), HasSubstr("row 3: Price is \"-1\""));
  EXPECT_THAT(price_complaint("AcceleratorName,AcceleratorCount,Price\nL4,0,1\n"),
              HasSubstr("AcceleratorCount"));
  EXPECT_THAT(price_complaint("AcceleratorName,Price\nL4,nan\n"), HasSubstr("nan"));
  EXPECT_THAT(price_complaint("GPU,Cost\nL4,1\n"), HasSubstr("AcceleratorName"));
  EXPECT_THAT(price_complaint(""), HasSubstr("AcceleratorName"));
  EXPECT_THAT(price_complaint("AcceleratorName,Price\nV100,1\n"), HasSubstr("it has V100"));
}

TEST(price_list, text_behind_a_closing_quote_is_no_part_of_a_price) {
  EXPECT_THAT(price_complaint("AcceleratorName,Price\nL4,\"2\".50\n"),
              HasSubstr("line 2: text behind a closing quote"));
  EXPECT_THAT(price_complaint("AcceleratorName,\"Price\"s\nL4,1\n"),
              HasSubstr("line 1: text behind a closing quote"));
}

TEST(price_list, the_catalogue_prices_what_the_table_does) {
  const auto list = prices_in(embedded_gpus());
  const auto usd = [&](const char* gpu) { return list.lowest(gpu)->usd_per_hour; };
  EXPECT_EQ(usd("B200 SXM"), 5.0);
  EXPECT_EQ(usd("H100 SXM"), 3.5);
  EXPECT_EQ(usd("A100 SXM 80 GB"), 2.0);
  EXPECT_EQ(usd("L40S"), 1.5);
  EXPECT_EQ(usd("A10G"), 1.0);
  EXPECT_EQ(usd("T4"), 0.5);
  EXPECT_EQ(usd("H200 SXM"), 4.59);
  EXPECT_NEAR(list.lowest("B200 SXM", true)->usd_per_hour, 4.26, 0.01);
  EXPECT_EQ(list.lowest("GB300"), nullptr);
  EXPECT_EQ(list.prices.size(), 24u);
  EXPECT_EQ(list.lowest("T4")->use, "Budget inference");
}

TEST(price_list, days_are_counted_by_the_calendar) {
  EXPECT_EQ(days_between("2026-11-21", "2026-11-22"), 1);
  EXPECT_EQ(days_between("2024-02-28", "2024-03-01"), 2);
  EXPECT_EQ(days_between("2026-11-22", "2026-08-22"), -92);
  EXPECT_EQ(days_between("2026-02-30", "2026-11-22"), std::nullopt);
  EXPECT_EQ(days_between("yesterday", "2026-11-22"), std::nullopt);
  EXPECT_EQ(days_between("", "2026-11-22"), std::nullopt);
}

}  // namespace
}  // namespace ridge::plan
