// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include <gmock/gmock.h>

#include <ridge/results/analysis.hpp>

#include "made_store.hpp"

namespace ridge::results {
namespace {

using testing::AllOf;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;
using values = std::map<std::string, std::string>;

model::family at_size(std::int64_t n, double seconds, double ratio) {
  model::family f{.experiment = "ch01.made", .problem = {{"kind", std::string("sum")}, {"n", n}}};
  f.measurements = {made_variant("slow", ratio * seconds, model::role::baseline),
                    made_variant("fast", seconds)};
  compare(f, "slow", "fast", ratio);
  return f;
}

constexpr std::int64_t sizes[] = {1000, 10'000, 100'000, 1'000'000};

answer scaling_of(std::vector<model::family> families, const values& asked = {}) {
  made_store store;
  store.add(std::move(families));
  return answer_of("scaling", store.get(), asked).value();
}

std::string text_of_scaling(std::vector<model::family> families, const values& asked = {}) {
  return report::text_of(scaling_of(std::move(families), asked).document, {.columns = 250});
}

std::vector<model::family> start_up_sweep() {
  std::vector<model::family> all;
  for (const auto n : sizes) all.push_back(at_size(n, 50e-6 + 2e-9 * static_cast<double>(n), 2));
  return all;
}

TEST(scaling, a_start_up_time_and_a_time_for_each_unit) {
  const auto text = text_of_scaling(start_up_sweep(), {{"at", "20000"}});
  EXPECT_THAT(text, HasSubstr("ch01.made kind=sum\n"));
  EXPECT_THAT(text, HasSubstr("axis n, metric time"));
  EXPECT_THAT(text,
              ContainsRegex("fast +4 +1000 +1 000 000 +start_up .*90.0 µs .*50.0 µs .* \\+ 2.00 ns .* × n"));
  EXPECT_THAT(text, ContainsRegex("slow +4 +1000 +1 000 000 +start_up .*100 µs .* \\+ 4.00 ns"));
}

TEST(scaling, a_power_of_the_size) {
  std::vector<model::family> all;
  for (const auto n : sizes) all.push_back(at_size(n, 1e-9 * std::pow(static_cast<double>(n), 1.5), 2));
  const auto found = scaling_of(all);
  EXPECT_THAT(report::text_of(found.document, {.columns = 250}), ContainsRegex("fast .*power .*n\\^1.5 "));
  ASSERT_EQ(found.charts.size(), 1);
  const auto& chart = found.charts[0];
  ASSERT_EQ(chart.series.size(), 4) << "marks and a line for each of two variants";
  EXPECT_EQ(chart.series[0].points.size(), 4);
  EXPECT_EQ(chart.series[1].key, chart.series[0].key);
  EXPECT_EQ(chart.series[1].points.front().x, 1000);
  EXPECT_EQ(chart.series[1].points.back().x, 1'000'000);
  EXPECT_EQ(chart.series[1].low.size(), chart.series[1].points.size());
}

TEST(scaling, a_rate_that_saturates) {
  std::vector<model::family> all;
  for (const auto n : sizes) {
    const auto x = static_cast<double>(n);
    auto f = at_size(n, 1, 1);
    for (auto& m : f.measurements)
      m.metrics = {{.metric = {.name = "rate", .unit = "items/s", .better = model::better::higher},
                    .median = 8e6 * x / (x + 5000),
                    .ci = {8e6 * x / (x + 5000), 8e6 * x / (x + 5000)}}};
    all.push_back(f);
  }
  EXPECT_THAT(text_of_scaling(all),
              ContainsRegex("fast .*saturating .*up to 8.00 Mitems/s .*half of it at n 5000 "));
}

TEST(scaling, says_nothing_outside_of_the_sizes_that_were_measured) {
  const auto text = text_of_scaling(start_up_sweep(), {{"at", "2000000"}});
  EXPECT_THAT(text, HasSubstr("outside of what was measured"));
  EXPECT_THAT(report::json_of(scaling_of(start_up_sweep(), {{"at", "999"}}).document),
              AllOf(HasSubstr("\"predicted\": null"), Not(ContainsRegex("\"predicted\": [0-9]"))));
}

TEST(scaling, no_law_where_none_foretells_a_point_left_out) {
  auto families = start_up_sweep();
  families[2] = at_size(sizes[2], 9e-3, 2);
  const auto found = scaling_of(families);
  EXPECT_THAT(report::text_of(found.document, {.columns = 250}), ContainsRegex("fast +4 .* none "));
  EXPECT_THAT(report::json_of(found.document), Not(ContainsRegex("\"first\": [0-9]")));
  ASSERT_EQ(found.charts.size(), 1);
  for (const auto& s : found.charts[0].series) EXPECT_EQ(s.mark, report::chart_mark::points);
}

// Only what differs in one axis alone is one sweep.
TEST(scaling, workloads_that_differ_in_two_axes_are_no_sweep) {
  auto families = start_up_sweep();
  for (std::size_t i = 0; i < families.size(); ++i)
    families[i].problem[0].second = std::string(1, static_cast<char>('a' + i));
  EXPECT_THAT(text_of_scaling(families), AllOf(HasSubstr("No variant was measured at three sizes"),
                                               HasSubstr("No variant was compared")));
}

TEST(scaling, gains_tell_where_a_variant_begins_to_be_better) {
  const auto text =
      text_of_scaling({at_size(1000, 1e-3, 0.5), at_size(10'000, 1e-2, 1), at_size(100'000, 1e-1, 3)});
  EXPECT_THAT(text, ContainsRegex("fast +3 +1000 +0.5 +100 000 +3 +better from n=100000 on"));
  EXPECT_THAT(text_of_scaling({at_size(1000, 1e-3, 3), at_size(10'000, 1e-2, 2)}),
              ContainsRegex("fast +2 .* shrinks"));
  EXPECT_THAT(text_of_scaling({at_size(1000, 1e-3, 3), at_size(10'000, 1e-2, 3.01)}),
              ContainsRegex("fast +2 .* no change was seen"));
}

TEST(scaling, a_size_without_a_value_leaves_the_others) {
  auto sweep = start_up_sweep();
  sweep[1].measurements[1].metrics[0].median = std::nan("");
  sweep.push_back(at_size(10'000'000, 50e-6 + 2e-9 * 1e7, 2));
  sweep.back().measurements[1].metrics[0].median = 0;
  const auto text = text_of_scaling(sweep);
  EXPECT_THAT(text, ContainsRegex("fast +3 +1000 +1 000 000 +start_up"));
  EXPECT_THAT(text, ContainsRegex("slow +5 +1000 +10 000 000 +start_up"));
}

TEST(scaling, an_axis_that_not_all_results_have) {
  auto families = start_up_sweep();
  families.insert(families.begin(), at_size(1, 1, 2));
  families.front().problem.clear();  // before the experiment had axes
  EXPECT_THAT(text_of_scaling(families), ContainsRegex("fast +4 +1000 +1 000 000 +start_up"));
}

TEST(scaling, a_variant_is_better_from_where_it_stays_so) {
  std::vector<model::family> all;
  const double ratios[] = {0.5, 2, 0.5, 2};
  for (std::size_t i = 0; i < 4; ++i)
    all.push_back(at_size(sizes[i], 1e-6 * static_cast<double>(sizes[i]), ratios[i]));
  EXPECT_THAT(text_of_scaling(all), HasSubstr("better from n=1e+06 on"));
}

}  // namespace
}  // namespace ridge::results
