// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <limits>

#include <gmock/gmock.h>

#include <ridge/report/chart.hpp>

#include "chart_scale.hpp"

namespace ridge::report {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

TEST(ChartRuler, LinearAxisBeginsAtZeroWhereThatCostsLittle) {
  const chart_ruler ruler({.label = "n"}, 3, 97, 100);
  EXPECT_THAT(ruler.ticks(), ElementsAre(0, 20, 40, 60, 80, 100));
  EXPECT_DOUBLE_EQ(ruler.at(50), 50);
}

TEST(ChartRuler, LinearAxisKeepsAwayFromZeroWhereValuesDo) {
  const chart_ruler ruler({.label = "n"}, 1000, 1006, 60);
  EXPECT_DOUBLE_EQ(ruler.at(1000), 0);
  EXPECT_DOUBLE_EQ(ruler.at(1006), 60);
}

TEST(ChartRuler, LogarithmicAxisHasADecadePerTick) {
  const chart_ruler ruler({.label = "n", .scale = chart_scale::logarithmic}, 1, 10000, 400);
  EXPECT_THAT(ruler.ticks(), ElementsAre(1, 10, 100, 1000, 10000));
  EXPECT_NEAR(ruler.at(100), 200, 1e-9);
  EXPECT_FALSE(ruler.takes(0));
}

TEST(ChartRuler, TicksCarryTheUnit) {
  const chart_ruler ruler({.label = "t", .unit = "s"}, 0, 0.5, 100);
  EXPECT_EQ(ruler.text(0.1), "100 ms");
  EXPECT_EQ(ruler.text(0), "0");
}

chart example_chart() {
  return {.title = "A & B",
          .x = {.label = "GPUs", .scale = chart_scale::logarithmic},
          .y = {.label = "time", .unit = "s"},
          .series = {
              {.name = "model", .points = {{1, 4}, {2, 2}, {4, 1}}, .low = {3, 1, 0.5}, .high = {5, 3, 1.5}},
              {.name = "measured", .mark = chart_mark::points, .points = {{2, 2.1, "two <GPUs>"}}}}};
}

TEST(ChartSvg, HoldsBandCurvePointAndEscapedWords) {
  const auto svg = chart_svg(example_chart());
  EXPECT_THAT(svg, HasSubstr("A &amp; B"));
  EXPECT_THAT(svg, HasSubstr("area f0"));
  EXPECT_THAT(svg, HasSubstr("two &lt;GPUs&gt;"));
  EXPECT_THAT(svg, Not(HasSubstr("nan")));
}

TEST(ChartSvg, LeavesOutWhatIsNoNumberOrBelowALogarithm) {
  auto c = example_chart();
  c.series[0].points.push_back({0, 1});
  c.series[0].points.push_back({8, std::numeric_limits<double>::quiet_NaN()});
  c.series[0].low.clear();
  const auto svg = chart_svg(c);
  EXPECT_THAT(svg, Not(HasSubstr("nan")));
  EXPECT_THAT(svg, Not(HasSubstr("inf")));
}

TEST(ChartSvg, CutsATitleThatIsWiderThanTheDrawing) {
  auto c = example_chart();
  c.title = std::string(60, 'a') + std::string(60, 'b');
  const auto svg = chart_svg(c);
  EXPECT_THAT(svg, HasSubstr("<title>" + c.title + "</title>"));
  EXPECT_THAT(svg, HasSubstr(">" + std::string(60, 'a') + "b"));
  EXPECT_THAT(svg, Not(HasSubstr(std::string(60, 'b') + "</text>")));
}

TEST(ChartSvg, NothingToShowIsNothing) { EXPECT_EQ(chart_svg({.title = "empty"}), ""); }

}  // namespace
}  // namespace ridge::report
