// SPDX-License-Identifier: Apache-2.0
#include <ridge/plan/cost.hpp>

#include <cmath>
#include <set>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ridge::plan {
namespace {

using ::testing::HasSubstr;

cost_answer answered(const cost_question& q) {
  auto a = cost_per_token(q);
  EXPECT_TRUE(a.ok()) << (a.ok() ? "" : a.why().text());
  return a.ok() ? std::move(a).value() : cost_answer{};
}

const cost_line& line(const cost_answer& a, std::string_view id) {
  for (const auto& one : a.lines) {
    if (one.id == id) return one;
  }
  ADD_FAILURE() << "no line " << id;
  static const cost_line none;
  return none;
}

// 800 W at 1500 tokens/s and $0.16: 0.8 J · 1e6/3.6e6 = 0.2222 kWh.
cost_question power_only() {
  cost_question q;
  q.electricity.power_w = 800;
  q.tokens_per_s = 1500;
  return q;
}

cost_question rented() {
  auto q = power_only();
  q.tenure = tenure::on_demand;
  q.rent.usd_per_gpu_hour = 3.5;
  q.electricity.in_rent = true;
  return q;
}

cost_question owned() {
  auto q = power_only();
  q.tenure = tenure::owned;
  q.gpus = 8;
  q.electricity.power_w = 8000;
  q.tokens_per_s = 10000;
  q.own = {.usd_per_gpu = 30000, .years = 4, .interest = 0.08};
  return q;
}

TEST(cost, electricity_alone_is_what_the_older_calculator_says) {
  const auto a = answered(power_only());
  EXPECT_NEAR(line(a, "electricity").usd_per_mtok, 0.0356, 0.00005);
  EXPECT_DOUBLE_EQ(line(a, "electricity").usd_per_mtok, 0.16 * 0.8 / 3.6);
  EXPECT_DOUBLE_EQ(a.joules_per_token, 0.8);
  EXPECT_DOUBLE_EQ(a.total_usd_per_mtok, line(a, "electricity").usd_per_mtok);
  EXPECT_DOUBLE_EQ(line(a, "electricity").share, 1);
}

TEST(cost, a_gpu_at_three_dollars_costs_fifteen_times_its_electricity) {
  auto q = rented();
  q.rent.usd_per_gpu_hour = 3;
  const auto a = answered(q);
  EXPECT_NEAR(line(a, "rent").usd_per_mtok, 3 / 5.4, 1e-12);  // 1500 · 3600 = 5.4 million tokens an hour
  EXPECT_NEAR(a.total_usd_per_mtok, 0.5556, 0.0001);
  EXPECT_NEAR(line(a, "rent").usd_per_mtok / line(a, "electricity").usd_per_mtok, 15.625, 1e-9);
}

TEST(cost, power_that_the_rent_pays_for_is_shown_but_not_added) {
  auto q = rented();
  const auto with = answered(q);
  EXPECT_DOUBLE_EQ(with.total_usd_per_mtok, line(with, "rent").usd_per_mtok);
  EXPECT_FALSE(line(with, "electricity").added);
  EXPECT_EQ(line(with, "electricity").share, 0);
  q.electricity.in_rent = false;
  const auto on_top = answered(q);
  EXPECT_DOUBLE_EQ(on_top.total_usd_per_mtok,
                   with.total_usd_per_mtok + line(with, "electricity").usd_per_mtok);
}

TEST(cost, whoever_owns_pays_for_power_always) {
  auto q = owned();
  q.electricity.in_rent = true;
  EXPECT_TRUE(line(answered(q), "electricity").added);
}

TEST(cost, capital_recovery_is_the_annuity_of_tables) {
  EXPECT_NEAR(capital_recovery_factor(0.08, 4), 0.301921, 5e-7);  // textbook table: A/P, 8 %, 4
  EXPECT_NEAR(capital_recovery_factor(0.10, 5), 0.263797, 5e-7);
  EXPECT_DOUBLE_EQ(capital_recovery_factor(0, 5), 0.2);
  EXPECT_NEAR(capital_recovery_factor(1e-9, 5), 0.2, 1e-8);
  EXPECT_NEAR(capital_recovery_factor(0.08, 1000), 0.08, 1e-12);  // in the limit only interest is paid
}

TEST(cost, owning_sums_capital_place_people_and_power) {
  auto q = owned();
  q.own.residual_share = 0.1;
  q.own.colocation_usd_per_kw_month = 150;
  q.own.staff_share = 0.05;
  const auto a = answered(q);
  const double mtok_a_year = 10000.0 * 3600 * 8760 / 1e6;
  const double crf = 0.08 * std::pow(1.08, 4) / (std::pow(1.08, 4) - 1);
  EXPECT_NEAR(line(a, "capital").usd_per_mtok, 240000 * (1 - 0.1 / std::pow(1.08, 4)) * crf / mtok_a_year,
              1e-12);
  EXPECT_NEAR(line(a, "colocation").usd_per_mtok, 8 * 150 * 12 / mtok_a_year, 1e-12);
  EXPECT_NEAR(line(a, "staff").usd_per_mtok, 12000 / mtok_a_year, 1e-12);
  EXPECT_NEAR(line(a, "electricity").usd_per_mtok, 8 * 1.5 * 8760 * 0.16 / mtok_a_year, 1e-12);
  double sum = 0, shares = 0;
  for (const auto& one : a.lines) {
    sum += one.usd_per_mtok;
    shares += one.share;
  }
  EXPECT_DOUBLE_EQ(a.total_usd_per_mtok, sum);
  EXPECT_DOUBLE_EQ(shares, 1);
}

TEST(cost, half_the_utilization_is_twice_the_rent) {
  auto q = rented();
  q.utilization = 0.5;
  q.goodput = 0.8;
  EXPECT_NEAR(answered(q).total_usd_per_mtok, answered(rented()).total_usd_per_mtok / 0.4, 1e-12);
}

TEST(cost, idle_hours_draw_idle_power) {
  auto q = power_only();
  q.utilization = 0.25;
  q.electricity.idle_power_w = 100;
  const auto a = answered(q);
  EXPECT_DOUBLE_EQ(a.joules_per_token, 1.5 * (0.25 * 800 + 0.75 * 100) / (0.25 * 1500));
}

TEST(cost, reservations_are_discounted_and_spot_loses_hours) {
  auto q = rented();
  q.tenure = tenure::reserved;
  q.rent.reserved_discount = 0.4;
  EXPECT_NEAR(answered(q).total_usd_per_mtok, 0.6 * 3.5 / 5.4, 1e-12);
  q.tenure = tenure::spot;
  q.rent = {
      .usd_per_gpu_hour = 1.4, .mean_hours_between_interruptions = 5, .lost_hours_per_interruption = 0.25};
  EXPECT_NEAR(answered(q).total_usd_per_mtok, 1.4 / 5.4 * std::exp(0.05), 1e-12);
  EXPECT_EQ(spot_working_share({.usd_per_gpu_hour = 1}), 1);
}

// The working share by simulation: each rented period is exponential, and its beginning is lost.
TEST(cost, spot_share_is_what_exponential_stretches_leave) {
  const rental_terms r{.mean_hours_between_interruptions = 4, .lost_hours_per_interruption = 1};
  double rented_h = 0, worked_h = 0;
  constexpr int stretches = 20000;
  for (int i = 0; i < stretches; ++i) {  // quantiles of the exponential, evenly
    const double stretch = -4 * std::log((i + 0.5) / stretches);
    rented_h += stretch;
    worked_h += std::max(0.0, stretch - 1);
  }
  EXPECT_NEAR(spot_working_share(r), worked_h / rented_h, 1e-3);
}

cost_question split_question() {
  auto q = rented();
  q.tokens_per_s = 0;
  q.rates = phase_rates{.input_per_s = 20000, .cached_input_per_s = 400000, .output_per_s = 2000};
  q.lengths = request_lengths{.input = 3000, .cached_input = 1000, .output = 500};
  return q;
}

TEST(cost, split_by_seconds_adds_up_to_the_whole) {
  const auto a = answered(split_question());
  // 2000/20000 + 1000/400000 + 500/2000 = 0.1 + 0.0025 + 0.25 s of a GPU at $3.5/h
  EXPECT_NEAR(*a.usd_per_request, 0.3525 / 3600 * 3.5, 1e-12);
  EXPECT_NEAR(*a.input_usd_per_mtok, 3.5 / 3600 / 20000 * 1e6, 1e-9);
  EXPECT_NEAR(*a.cached_input_usd_per_mtok, 3.5 / 3600 / 400000 * 1e6, 1e-9);
  EXPECT_NEAR(*a.output_usd_per_mtok, 3.5 / 3600 / 2000 * 1e6, 1e-9);
  const double whole =
      2000 * *a.input_usd_per_mtok + 1000 * *a.cached_input_usd_per_mtok + 500 * *a.output_usd_per_mtok;
  EXPECT_NEAR(whole / 1e6, *a.usd_per_request, 1e-15);
  EXPECT_NEAR(a.tokens_per_s, 500 / 0.3525, 1e-9);
}

TEST(cost, a_measured_throughput_keeps_the_proportions_of_the_split) {
  auto q = split_question();
  q.tokens_per_s = 1000;
  const auto a = answered(q), by_rates = answered(split_question());
  EXPECT_NEAR(a.total_usd_per_mtok, 3.5 / 3.6, 1e-12);
  EXPECT_NEAR(*a.output_usd_per_mtok / *a.input_usd_per_mtok,
              *by_rates.output_usd_per_mtok / *by_rates.input_usd_per_mtok, 1e-12);
  const double whole =
      2000 * *a.input_usd_per_mtok + 1000 * *a.cached_input_usd_per_mtok + 500 * *a.output_usd_per_mtok;
  EXPECT_NEAR(whole / 1e6, *a.usd_per_request, 1e-15);
}

TEST(cost, without_cached_tokens_they_have_no_price) {
  auto q = split_question();
  q.lengths->cached_input = 0;
  EXPECT_FALSE(answered(q).cached_input_usd_per_mtok.has_value());
}

TEST(cost, speculation_yields_the_expected_tokens_a_step) {
  EXPECT_EQ(tokens_per_step({}), 1);
  EXPECT_NEAR(tokens_per_step({.drafted = 4, .acceptance = 0.8}), 3.3616,
              1e-9);  // 1 + .8 + .64 + .512 + .4096
  EXPECT_EQ(tokens_per_step({.drafted = 3, .acceptance = 0}), 1);
  EXPECT_EQ(tokens_per_step({.drafted = 3, .acceptance = 1}), 4);
  EXPECT_NEAR(speculative_speedup({.drafted = 4, .acceptance = 0.8, .draft_cost = 0.05, .verify_cost = 0.1}),
              3.3616 / 1.3, 1e-9);
  EXPECT_LT(speculative_speedup({.drafted = 4, .acceptance = 0.2, .draft_cost = 0.1}), 1);
}

TEST(cost, speculation_makes_output_cheaper_and_input_no_dearer) {
  auto q = split_question();
  q.speculation = {.drafted = 4, .acceptance = 0.8, .draft_cost = 0.05};
  const auto with = answered(q), without = answered(split_question());
  EXPECT_NEAR(*with.output_usd_per_mtok * speculative_speedup(q.speculation), *without.output_usd_per_mtok,
              1e-9);
  EXPECT_NEAR(*with.input_usd_per_mtok, *without.input_usd_per_mtok, 1e-9);
}

TEST(cost, batch_jobs_fill_the_idle_hours) {
  auto q = rented();
  q.utilization = 0.4;
  q.batch_utilization = 0.8;
  const auto a = answered(q);
  EXPECT_NEAR(*a.batch_usd_per_mtok, a.total_usd_per_mtok / 2, 1e-12);
}

TEST(cost, at_the_break_even_utilization_the_cost_is_the_apis_price) {
  for (auto q : {rented(), owned()}) {
    q.electricity.idle_power_w = 0.2 * q.electricity.power_w;
    q.electricity.in_rent = false;
    q.api_usd_per_mtok = 2;
    const auto u = answered(q).break_even_utilization;
    ASSERT_TRUE(u.has_value());
    ASSERT_GT(*u, 0);
    ASSERT_LT(*u, 1);
    q.utilization = *u;
    EXPECT_NEAR(answered(q).total_usd_per_mtok, 2, 1e-9);
  }
}

TEST(cost, break_even_counts_the_apis_price_of_input_too) {
  auto q = split_question();
  q.api_input_usd_per_mtok = 0.5;
  q.api_output_usd_per_mtok = 1;
  const auto by_parts = *answered(q).break_even_utilization;
  q.api_input_usd_per_mtok.reset();
  q.api_output_usd_per_mtok.reset();
  q.api_usd_per_mtok = 4;  // 1 + 0.5 · 3000/500
  EXPECT_NEAR(by_parts, *answered(q).break_even_utilization, 1e-12);
  q.api_usd_per_mtok = 0.1;
  EXPECT_GT(*answered(q).break_even_utilization, 1);  // never
}

TEST(cost, carbon_follows_the_meter) {
  auto q = power_only();
  q.electricity.carbon_g_per_kwh = 400;
  EXPECT_NEAR(*answered(q).carbon_g_per_mtok, 0.8 / 3.6 * 400, 1e-9);
  EXPECT_FALSE(answered(power_only()).carbon_g_per_mtok.has_value());
}

TEST(cost, owning_pays_from_the_month_that_its_savings_repay_the_outlay) {
  auto q = owned();
  q.rent.usd_per_gpu_hour = 3.5;
  q.electricity.in_rent = true;
  q.own.interest = 0;
  const double saved = (8 * 3.5 - 8 * 1.5 * 0.16) * 730;
  EXPECT_NEAR(*own_versus_rent_month(q), 240000 / saved, 1e-9);
  q.own.interest = 0.08;
  // By hand, month by month: debt grows with interest and shrinks by the savings.
  double owed = 240000;
  int months = 0;
  while (owed > 0) {
    owed = owed * std::pow(1.08, 1.0 / 12) - saved;
    ++months;
  }
  EXPECT_EQ(std::ceil(*own_versus_rent_month(q)), months);
  EXPECT_NEAR(*answered(q).own_versus_rent_month, *own_versus_rent_month(q), 1e-12);
  q.rent.usd_per_gpu_hour = 0.1;
  EXPECT_FALSE(own_versus_rent_month(q).has_value());
}

TEST(cost, every_figure_says_how_it_came_about) {
  auto q = split_question();
  q.api_usd_per_mtok = 4;
  q.batch_utilization = 0.9;
  q.electricity.carbon_g_per_kwh = 400;
  const auto a = answered(q);
  std::set<std::string> ids;
  for (const auto& f : a.derivation) {
    EXPECT_FALSE(f.formula.empty()) << f.id;
    EXPECT_FALSE(f.unit.empty()) << f.id;
    EXPECT_TRUE(ids.insert(f.id).second) << f.id << " is there twice";
  }
  for (const auto* id :
       {"electricity_usd_per_mtok", "rent_usd_per_mtok", "total_usd_per_mtok", "joules_per_token",
        "input_usd_per_mtok", "cached_input_usd_per_mtok", "output_usd_per_mtok", "usd_per_request",
        "break_even_utilization", "carbon_g_per_mtok", "batch_usd_per_mtok"})
    EXPECT_NE(find(a.derivation, id), nullptr) << id;
  EXPECT_EQ(find(a.derivation, "total_usd_per_mtok")->value, a.total_usd_per_mtok);
}

struct refusal {
  const char* name;
  void (*spoil)(cost_question&);
  const char* says;
};

class refused_costs : public ::testing::TestWithParam<refusal> {};

TEST_P(refused_costs, name_the_field) {
  auto q = split_question();
  GetParam().spoil(q);
  const auto a = cost_per_token(q);
  ASSERT_FALSE(a.ok());
  EXPECT_THAT(a.why().text(), HasSubstr(GetParam().says));
  EXPECT_FALSE(a.why().remedy.empty());
}

INSTANTIATE_TEST_SUITE_P(
    fields, refused_costs,
    ::testing::Values(
        refusal{"gpus", [](cost_question& q) { q.gpus = 0; }, "GPUs"},
        refusal{"pue", [](cost_question& q) { q.electricity.pue = 0.9; }, "PUE is 0.9"},
        refusal{"tariff", [](cost_question& q) { q.electricity.usd_per_kwh = -1; }, "electricity cost is -1"},
        refusal{"power", [](cost_question& q) { q.electricity.power_w = std::nan(""); },
                "average power is nan"},
        refusal{"idle", [](cost_question& q) { q.electricity.idle_power_w = 1e9; }, "idle power"},
        refusal{"rent", [](cost_question& q) { q.rent.usd_per_gpu_hour = 0; }, "GPU-hour is 0"},
        refusal{"rates", [](cost_question& q) { q.rates->input_per_s = 0; }, "prefill rate"},
        refusal{"cached", [](cost_question& q) { q.lengths->cached_input = 4000; }, "cached input tokens"},
        refusal{"lengths", [](cost_question& q) { q.lengths.reset(); }, "without lengths"},
        refusal{"throughput", [](cost_question& q) { q.rates.reset(); }, "no throughput"},
        refusal{"utilization", [](cost_question& q) { q.utilization = 0; }, "utilization is 0"},
        refusal{"goodput", [](cost_question& q) { q.goodput = 1.2; }, "goodput is 1.2"},
        refusal{"acceptance", [](cost_question& q) { q.speculation.acceptance = 2; }, "acceptance is 2"},
        refusal{"band",
                [](cost_question& q) {
                  q.bands = {{"pue", 3}};
                },
                "band of pue"},
        refusal{"unknown_band",
                [](cost_question& q) {
                  q.bands = {{"weather", 0.1}};
                },
                "\"weather\""},
        refusal{"years",
                [](cost_question& q) {
                  q.tenure = tenure::owned;
                  q.own = {.usd_per_gpu = 1, .years = 0};
                },
                "years of use"},
        refusal{"nothing",
                [](cost_question& q) {
                  q.tenure = tenure::unpaid;
                  q.electricity.power_w = 0;
                },
                "nothing costs"},
        refusal{"spot",
                [](cost_question& q) {
                  q.tenure = tenure::spot;
                  q.rent.lost_hours_per_interruption = 1;
                },
                "never come"}),
    [](const auto& choice) { return std::string(choice.param.name); });

}  // namespace
}  // namespace ridge::plan
