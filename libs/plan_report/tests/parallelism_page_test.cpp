// SPDX-License-Identifier: Apache-2.0
#include <ridge/plan_report/parallelism_page.hpp>

#include <algorithm>

#include <gmock/gmock.h>

#include <ridge/plan_report/layout_table_page.hpp>

namespace ridge::plan_report {
namespace {

using namespace plan::train;
using testing::HasSubstr;
using testing::Not;

evaluated_plan plan_of(int tensor, int data, double step_s, double memory_bytes) {
  evaluated_plan p{.compute_type = "bf16"};
  p.scored = {.plan = {.layout = {.tensor = tensor, .data = data}},
              .gpus = 16,
              .step_s = step_s,
              .memory_bytes = memory_bytes};
  p.time.product_s = step_s * 0.75;
  p.time.tensor_exposed_s = step_s * 0.25;
  p.time.total_s = step_s;
  p.time.tokens_per_s = 1000 / step_s;
  p.time.mfu = 0.4;
  return p;
}

parallelism_question question() {
  parallelism_question q;
  q.model.name = "a model";
  q.gpu.name = "a GPU";
  q.gpus = {16};
  return q;
}

parallelism_answer answer() {
  parallelism_answer a;
  a.job = {.global_batch = 64, .sequence = 4096};
  a.usable_bytes = 80e9;
  a.plans = {plan_of(8, 2, 2, 40e9), plan_of(1, 16, 4, 70e9)};
  a.front = {a.plans[0]};
  a.search = {.evaluated = 300, .timed = 200, .wall_s = 1e-3};
  a.search.rejected[static_cast<std::size_t>(rejection::memory)] = 100;
  return a;
}

const report::sheet& sheet_of(const report::document& d, std::string_view key) {
  return *std::ranges::find(d.sheets, key, &report::sheet::key);
}

report::value cell(const report::sheet& s, std::size_t row, std::string_view key) {
  const auto at = std::ranges::find(s.fields, key, &report::field::key);
  return s.rows[row].values[static_cast<std::size_t>(at - s.fields.begin())];
}

TEST(parallelism_page, gives_every_row_a_value_a_field) {
  auto a = answer();
  a.nearest = a.plans[0];
  a.limits.push_back({.limit = "memory", .best = a.plans[1], .gain = 0.1, .slack = 0.5});
  a.plans[0].run = run_estimate{.wall_s = 86400};
  for (const auto& s : parallelism_page(question(), a).sheets) {
    for (const auto& row : s.rows) EXPECT_EQ(row.values.size(), s.fields.size()) << s.key;
  }
}

TEST(parallelism_page, puts_numbers_under_their_names) {
  const auto page = parallelism_page(question(), answer());
  const auto& plans = sheet_of(page, "plans");
  EXPECT_EQ(cell(plans, 0, "layout"), report::value("TP 8, DP 2"));
  EXPECT_EQ(cell(plans, 0, "tensor"), report::value(std::int64_t{8}));
  EXPECT_EQ(cell(plans, 0, "data"), report::value(std::int64_t{2}));
  EXPECT_EQ(cell(plans, 0, "zero"), report::value(std::int64_t{1}));
  EXPECT_EQ(cell(plans, 0, "step_s"), report::value(2.0));
  EXPECT_EQ(cell(plans, 0, "mfu"), report::value(0.4));
  EXPECT_EQ(cell(plans, 0, "exposed_pct"), report::value(25.0));
  EXPECT_EQ(cell(plans, 0, "memory_bytes"), report::value(40e9));
  EXPECT_EQ(cell(plans, 0, "headroom_bytes"), report::value(40e9));
  EXPECT_EQ(cell(plans, 0, "breakdown.product_s"), report::value(1.5));
  EXPECT_EQ(cell(plans, 1, "step_s"), report::value(4.0));
  EXPECT_EQ(cell(sheet_of(page, "rejected"), 0, "count"), report::value(std::int64_t{100}));
}

TEST(parallelism_page, says_the_answer_first) {
  EXPECT_THAT(parallelism_page(question(), answer()).title, HasSubstr("TP 8, DP 2"));
  auto a = answer();
  a.nearest = plan_of(8, 2, 3, 90e9);
  a.plans.clear();
  EXPECT_THAT(parallelism_page(question(), a).title, HasSubstr("does not fit"));
  a.nearest.reset();
  EXPECT_FALSE(parallelism_page(question(), a).title.empty());
}

TEST(parallelism_page, has_the_members_that_programs_read) {
  const auto json = json_of(parallelism_page(question(), answer()));
  for (const auto* member : {"\"schema\": \"ridge.plan.parallelism/1\"", "\"evaluated\": 300", "\"wall_s\"",
                             "\"plans\"", "\"rejected\"", "\"breakdown\"", "\"front\""})
    EXPECT_THAT(json, HasSubstr(member));
}

TEST(parallelism_page, shows_only_columns_that_tell_plans_apart) {
  auto text = text_of(parallelism_page(question(), answer()), {.columns = 200});
  EXPECT_THAT(text, Not(HasSubstr("  EP")));
  EXPECT_THAT(text, Not(HasSubstr("$/Mtoken")));
  auto q = question();
  q.dollars_per_gpu_hour = 2;
  auto a = answer();
  a.plans[1].scored.plan.layout.expert = 4;
  text = text_of(parallelism_page(q, a), {.columns = 200});
  EXPECT_THAT(text, HasSubstr("  EP"));
  EXPECT_THAT(text, HasSubstr("$/Mtoken"));
}

TEST(parallelism_chart, draws_a_line_a_number_of_gpus) {
  auto a = answer();
  a.front = {plan_of(8, 2, 2, 40e9), plan_of(8, 2, 3, 20e9), plan_of(8, 2, 1, 40e9)};
  a.front.back().scored.gpus = 32;
  auto q = question();
  q.gpus = {16, 32, 64};
  const auto c = parallelism_chart(q, a);
  ASSERT_EQ(c.series.size(), 2U);
  ASSERT_EQ(c.series[0].points.size(), 2U);
  EXPECT_LT(c.series[0].points[0].x, c.series[0].points[1].x);
  EXPECT_GT(c.series[0].points[0].y, c.series[0].points[1].y);
  EXPECT_THAT(chart_svg(c), HasSubstr("16 GPUs"));
}

TEST(layout_table_page, says_why_a_rule_differs) {
  checked_rule c{.rule = {.models = "1-10B", .tensor = 2, .data = 4, .least_gb = 4, .most_gb = 10},
                 .gpus = 8};
  c.by_rule = plan_of(2, 4, 2, 60e9);
  c.why = "because";
  const auto page = layout_table_page(question(), {c});
  const auto& rules = sheet_of(page, "rules");
  EXPECT_EQ(rules.rows[0].values.size(), rules.fields.size());
  EXPECT_EQ(cell(rules, 0, "best_layout"), report::value("nothing fits"));
  EXPECT_EQ(cell(rules, 0, "slower_pct"), report::value());
  EXPECT_EQ(cell(rules, 0, "why"), report::value("because"));
  EXPECT_THAT(text_of(page, {.columns = 200}), HasSubstr("4-10 GB"));
}

}  // namespace
}  // namespace ridge::plan_report
