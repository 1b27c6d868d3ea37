// SPDX-License-Identifier: Apache-2.0
#include <ridge/plan/cost_uncertainty.hpp>

#include <algorithm>
#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ridge::plan {
namespace {

using ::testing::Contains;

cost_question rented_gpu() {
  cost_question q;
  q.tenure = tenure::on_demand;
  q.rent.usd_per_gpu_hour = 3.6;
  q.electricity = {.power_w = 700, .in_rent = true};
  q.tokens_per_s = 1000;
  return q;
}

const sensitivity_row& row(const std::vector<sensitivity_row>& rows, std::string_view input) {
  const auto at = std::ranges::find(rows, input, &sensitivity_row::input);
  EXPECT_NE(at, rows.end()) << input;
  static const sensitivity_row none;
  return at == rows.end() ? none : *at;
}

TEST(cost_uncertainty, moves_one_input_at_a_time_across_its_band) {
  const auto rows = sensitivity(rented_gpu());  // $1 a million tokens
  const auto& price = row(rows, "usd_per_gpu_hour");
  EXPECT_NEAR(price.low_usd_per_mtok, 0.8, 1e-12);
  EXPECT_NEAR(price.high_usd_per_mtok, 1.2, 1e-12);
  const auto& rate = row(rows, "tokens_per_s");
  EXPECT_NEAR(rate.low_usd_per_mtok, 1 / 0.8, 1e-12);
  EXPECT_NEAR(rate.high_usd_per_mtok, 1 / 1.2, 1e-12);
  EXPECT_NEAR(rate.swing_usd_per_mtok(), 1 / 0.8 - 1 / 1.2, 1e-12);
}

TEST(cost_uncertainty, widest_swing_first) {
  auto q = rented_gpu();
  q.bands = {{"usd_per_gpu_hour", 0.5}, {"tokens_per_s", 0.05}};
  const auto rows = sensitivity(q);
  EXPECT_EQ(rows.front().input, "usd_per_gpu_hour");
  EXPECT_TRUE(std::ranges::is_sorted(rows, std::greater<>(), &sensitivity_row::swing_usd_per_mtok));
}

TEST(cost_uncertainty, shares_stay_shares) {
  auto q = rented_gpu();
  q.utilization = 0.9;
  const auto rows = sensitivity(q);
  EXPECT_EQ(row(rows, "utilization").high, 1);
  EXPECT_NEAR(row(rows, "utilization").low, 0.72, 1e-12);
}

TEST(cost_uncertainty, asks_only_what_the_question_has) {
  const auto rows = sensitivity(rented_gpu());
  for (const auto* absent :
       {"usd_per_gpu", "years", "lost_hours", "usd_per_kwh", "power_w", "input_tokens_per_s"})
    EXPECT_EQ(std::ranges::find(rows, absent, &sensitivity_row::input), rows.end()) << absent;
  auto q = rented_gpu();
  q.electricity.in_rent = false;
  EXPECT_GT(row(sensitivity(q), "usd_per_kwh").swing_usd_per_mtok(), 0);
  q.tenure = tenure::owned;
  q.own = {
      .usd_per_gpu = 30000, .residual_share = 0.1, .colocation_usd_per_kw_month = 100, .staff_share = 0.05};
  const auto of_owner = sensitivity(q);
  for (const auto* there : {"usd_per_gpu", "years", "interest", "residual_share",
                            "colocation_usd_per_kw_month", "staff_share", "pue", "power_w"})
    EXPECT_GT(row(of_owner, there).swing_usd_per_mtok(), 0) << there;
  EXPECT_LT(row(of_owner, "residual_share").high_usd_per_mtok,
            row(of_owner, "residual_share").low_usd_per_mtok);
}

TEST(cost_uncertainty, names_of_inputs_are_those_of_the_rows) {
  const auto names = names_of_cost_inputs();
  for (const auto& r : sensitivity(rented_gpu())) EXPECT_THAT(names, Contains(r.input));
}

TEST(cost_uncertainty, draws_are_the_same_for_any_count_of_threads) {
  const auto one = draw_cost_bands(rented_gpu(), 2001, 7, 1),
             three = draw_cost_bands(rented_gpu(), 2001, 7, 3);
  EXPECT_EQ(one.p5_usd_per_mtok, three.p5_usd_per_mtok);
  EXPECT_EQ(one.p50_usd_per_mtok, three.p50_usd_per_mtok);
  EXPECT_EQ(one.p95_usd_per_mtok, three.p95_usd_per_mtok);
  EXPECT_NE(one.p50_usd_per_mtok, draw_cost_bands(rented_gpu(), 2001, 8, 1).p50_usd_per_mtok);
}

TEST(cost_uncertainty, bands_are_those_of_the_triangle) {
  auto q = rented_gpu();
  for (const auto& name : names_of_cost_inputs()) q.bands.emplace_back(name, 0);
  const auto exact = draw_cost_bands(q, 100, 1);
  EXPECT_NEAR(exact.p5_usd_per_mtok, 1, 1e-12);
  EXPECT_NEAR(exact.p95_usd_per_mtok, 1, 1e-12);
  // The price alone uncertain: 5 % of a triangle of half-width w lie below 1 - w (1 - sqrt(0.1)).
  for (auto& [name, w] : q.bands) w = name == "usd_per_gpu_hour" ? 0.4 : 0;
  const auto b = draw_cost_bands(q, 20000, 1);
  EXPECT_NEAR(b.p5_usd_per_mtok, 1 - 0.4 * (1 - std::sqrt(0.1)), 0.01);
  EXPECT_NEAR(b.p50_usd_per_mtok, 1, 0.01);
  EXPECT_NEAR(b.p95_usd_per_mtok, 1 + 0.4 * (1 - std::sqrt(0.1)), 0.01);
}

}  // namespace
}  // namespace ridge::plan
