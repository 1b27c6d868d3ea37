// SPDX-License-Identifier: Apache-2.0
#include <ridge/report/run_charts.hpp>

#include <algorithm>
#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ridge/base/text.hpp>

namespace ridge::report {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

const model::metric seconds{};

model::measurement measured(std::string variant, double median) {
  model::measurement m{.variant = std::move(variant)};
  m.metrics = {{.metric = seconds, .median = median, .ci = {median * 0.9, median * 1.1}}};
  return m;
}

model::family at_size(std::int64_t n, double slow, double fast) {
  model::family f{.experiment = "ch01.copy", .problem = {{"n", n}, {"dtype", std::string("fp32")}}};
  f.measurements = {measured("slow", slow), measured("fast", fast)};
  f.measurements[1].of_ceiling = 0.5;
  f.measurements[1].ceiling = "cpu.triad, 1 thread";
  return f;
}

TEST(sweep_charts, have_a_curve_a_variant_in_order_of_the_axis_and_the_time_the_ceiling_allows) {
  model::run run;
  run.level = 0.99;
  run.families = {at_size(1 << 20, 40, 4), at_size(1 << 10, 0.04, 0.004), at_size(1 << 15, 1, 0.1)};
  const auto charts = sweep_charts(run);
  ASSERT_THAT(charts, SizeIs(1));
  const auto& c = charts.front();
  EXPECT_EQ(c.x.scale, chart_scale::logarithmic);
  EXPECT_EQ(c.y.scale, chart_scale::logarithmic);
  EXPECT_THAT(c.y.label, HasSubstr("time, s"));
  EXPECT_THAT(c.subtitle, HasSubstr("dtype=fp32"));
  EXPECT_THAT(c.subtitle, HasSubstr("99 % interval")) << "the level of the run";
  ASSERT_THAT(c.series, SizeIs(3));
  EXPECT_EQ(c.series[0].name, "slow");
  EXPECT_EQ(c.series[0].points[0].x, 1024);
  EXPECT_EQ(c.series[0].points[2].y, 40);
  EXPECT_NEAR(c.series[0].low[2], 36, 1e-9) << "the band moves with its points";
  EXPECT_EQ(c.series[2].name, "ceiling cpu.triad, 1 thread");
  EXPECT_NEAR(c.series[2].points[2].y, 2, 1e-9);
}

TEST(sweep_charts, have_the_title_that_all_problems_share) {
  model::run run;
  run.families = {at_size(1 << 20, 40, 4), at_size(1 << 10, 0.04, 0.004)};
  run.families[0].title = run.families[1].title = "Copies";
  EXPECT_EQ(sweep_charts(run).front().title, "ch01.copy: Copies over n");
  run.families[0].title = "Copies of 1 MiB";
  EXPECT_EQ(sweep_charts(run).front().title, "ch01.copy over n");
}

TEST(sweep_charts, leave_out_families_that_do_not_have_the_axis) {
  model::run run;
  run.families = {at_size(1 << 20, 40, 4), at_size(1 << 10, 0.04, 0.004), at_size(1 << 10, 1, 0.1)};
  run.families.back().problem = {{"dtype", std::string("fp32")}};
  run.families.push_back(run.families.back());
  run.families.back().problem.clear();
  auto charts = sweep_charts(run);
  ASSERT_THAT(charts, SizeIs(1));
  EXPECT_THAT(charts.front().series.front().points, SizeIs(2));
  std::ranges::reverse(run.families);
  charts = sweep_charts(run);
  ASSERT_THAT(charts, SizeIs(1)) << "the first family has no axis, the others have";
  EXPECT_THAT(charts.front().series.front().points, SizeIs(2));
}

TEST(sweep_charts, words_are_categories_and_other_axes_make_charts_of_their_own) {
  model::run run;
  for (const auto* kernel : {"dot", "gemv"}) {
    for (const std::int64_t n : {8, 16, 24}) {
      auto f = at_size(n, 2, 1);
      f.problem = {{"kernel", std::string(kernel)}, {"n", n}};
      run.families.push_back(f);
    }
  }
  EXPECT_THAT(sweep_charts(run), SizeIs(2)) << "n has the most values";
  for (auto& f : run.families) f.problem.pop_back();
  const auto by_kernel = sweep_charts(run);
  ASSERT_THAT(by_kernel, SizeIs(1));
  EXPECT_THAT(by_kernel[0].x.categories, ElementsAre("dot", "gemv"));
}

TEST(sweep_charts, one_problem_is_no_sweep) {
  EXPECT_TRUE(sweep_charts({.families = {at_size(8, 2, 1)}}).empty());
}

model::family sampled() {
  auto f = at_size(8, 2, 1);
  for (auto& m : f.measurements) m.samples = {{.metric = seconds}};
  f.measurements[0].samples[0].value = {4, 1, 3, 2, std::nan("")};
  f.measurements[1].samples[0].value = {5, 5, 5};
  return f;
}

TEST(ecdf_chart, rises_from_0_to_1_by_a_step_a_sample) {
  const auto c = ecdf_chart(sampled());
  ASSERT_THAT(c.series, SizeIs(2));
  const auto& s = c.series[0];
  ASSERT_THAT(s.points, SizeIs(5));
  EXPECT_EQ(s.points[0].y, 0);
  EXPECT_EQ(s.points[2].x, 2);
  EXPECT_EQ(s.points[2].y, 0.5);
  EXPECT_EQ(s.points[4].x, 4);
  EXPECT_EQ(s.points[4].y, 1);
}

TEST(ecdf_chart, keeps_the_ends_of_many_samples) {
  auto f = sampled();
  auto& values = f.measurements[0].samples[0].value;
  values.clear();
  for (int i = 0; i < 10000; ++i) values.push_back(i);
  const auto c = ecdf_chart(f);
  const auto& points = c.series[0].points;
  EXPECT_LT(points.size(), 200u);
  EXPECT_EQ(points.front().x, 0);
  EXPECT_EQ(points.back().x, 9999);
  EXPECT_EQ(points.back().y, 1);
}

TEST(violin_chart, is_widest_where_samples_are_dense_and_marks_the_median) {
  auto f = sampled();
  f.measurements[0].samples[0].value = {10, 10.1, 10.2, 10.1, 10, 14};
  const auto c = violin_chart(f);
  ASSERT_THAT(c.series, SizeIs(4));
  EXPECT_THAT(c.x.categories, ElementsAre("slow", "fast"));
  const auto& outline = c.series[0].points;
  const auto left_most = std::ranges::min(outline, {}, &chart_point::x);
  EXPECT_NEAR(left_most.x, -0.4, 1e-9);
  EXPECT_NEAR(left_most.y, 10.1, 0.3);
  EXPECT_NEAR(c.series[1].points[0].y, 10.1, 1e-9);
  for (const auto& p : c.series[2].points) EXPECT_TRUE(std::isfinite(p.x)) << "equal samples";
}

TEST(distribution_charts, are_empty_without_samples) {
  EXPECT_EQ(chart_svg(ecdf_chart(at_size(8, 2, 1))), "");
  EXPECT_EQ(chart_braille(violin_chart(at_size(8, 2, 1))), "");
}

model::stored_comparison stored(std::string run, std::string started, double ratio) {
  model::stored_comparison s{.run = std::move(run), .started = std::move(started), .machine = "box"};
  s.row.experiment = "ch01.copy";
  s.row.comparison = {.reference = "slow", .candidate = "fast"};
  s.row.comparison.ratio = ratio;
  s.row.comparison.ci = {ratio - 0.1, ratio + 0.1};
  s.row.arms = {model::arm{.variant = "slow", .median = ratio, .ci = {ratio, ratio}, .unit = "s"},
                model::arm{.variant = "fast", .median = 1, .ci = {1, 1}, .unit = "s"}};
  return s;
}

TEST(history_charts, go_from_the_oldest_run_to_the_newest_with_times_and_ratios) {
  const std::vector rows{stored("B", "2026-11-23T18:25:00Z", 3), stored("A", "2026-11-22T08:00:00Z", 2)};
  const auto charts = history_charts(rows);
  ASSERT_THAT(charts, SizeIs(2));
  EXPECT_THAT(charts[0].x.categories, ElementsAre("11-22 08:00", "11-23 18:25"));
  EXPECT_THAT(charts[0].y.label, HasSubstr("median of time, s"));
  EXPECT_EQ(charts[0].series[0].name, "slow");
  EXPECT_EQ(charts[1].series[0].name, "fast vs slow");
  EXPECT_EQ(charts[1].series[0].points[1].y, 3);
  EXPECT_EQ(charts[1].limits.size(), 1u) << "the line at 1";
}

TEST(history_charts, show_each_machine_alone) {
  std::vector rows{stored("B", "2026-11-23T18:25:00Z", 3), stored("A", "2026-11-22T08:00:00Z", 2)};
  rows[0].machine = "other";
  const auto charts = history_charts(rows);
  ASSERT_THAT(charts, SizeIs(4)) << "medians and ratios of each";
  for (const auto& c : charts) EXPECT_THAT(c.x.categories, SizeIs(1));
  EXPECT_THAT(charts[0].subtitle, HasSubstr("box"));
  EXPECT_THAT(charts[2].subtitle, HasSubstr("other"));
}

chart example() {
  model::run run;
  run.families = {at_size(1 << 10, 0.04, 0.004), at_size(1 << 20, 40, 4)};
  return sweep_charts(run).front();
}

TEST(chart_braille, fits_its_columns_labels_axes_with_units_and_tells_series_apart_without_colour) {
  for (const std::size_t columns : {60u, 80u, 100u}) {
    const auto text = chart_braille(example(), {.columns = columns});
    for (const auto line : split(text, '\n')) EXPECT_LE(display_width(line), columns) << line;
    EXPECT_THAT(text, HasSubstr("time, s"));
    EXPECT_THAT(text, HasSubstr("2^10"));
    EXPECT_THAT(text, HasSubstr("10.0 ms"));
    EXPECT_THAT(text, HasSubstr("1 slow"));
    EXPECT_THAT(text, HasSubstr("2 fast"));
  }
}

TEST(chart_braille, words_from_elsewhere_cannot_move_the_cursor) {
  auto c = example();
  c.series[0].name = "a\x1b[2J\nb";
  c.title = "\x1b[2J";
  EXPECT_EQ(chart_braille(c).find('\x1b'), std::string::npos);
}

TEST(charts_svg, lays_charts_below_each_other_and_differs_series_by_dashes_and_shapes) {
  const auto one = chart_svg(example()), two = charts_svg({example(), example()});
  EXPECT_THAT(one, HasSubstr("curve c0\""));
  EXPECT_THAT(one, HasSubstr("curve c1 dash1"));
  EXPECT_GT(two.size(), one.size() * 3 / 2);
  EXPECT_EQ(charts_svg({}), "");
}

}  // namespace
}  // namespace ridge::report
