// SPDX-License-Identifier: Apache-2.0
#include "session/remaining_time.hpp"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <optional>
#include <random>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <ridge/base/text.hpp>

#include "session/duration_cache.hpp"
#include "session/planned_time.hpp"
#include "session/progress_text.hpp"
#include "tiny_catalogue.hpp"

namespace ridge::app {
namespace {

experiment with_edges(std::string id) {
  return experiment_of<tests::workload>{
      .id = std::move(id),
      .title = "Title",
      .question = "Which?",
      .axes = {values("n", {8, 16}, {0, 1, 3})},
      .make = [](const problem& p, memory& m) { return tests::workload{m.out<float>(p.count("n"))}; },
      .work = [](const problem&) { return work{}; },
      .oracle = [](tests::workload&) {},
      .cpu = tests::two_variants,
  };
}

// The planned times of the families of a run.
struct mix {
  const char* name;
  std::vector<planned_time> planned;
};

const std::vector<mix>& mixes() {
  static const std::vector<mix> all{
      {"equal families", std::vector<planned_time>(10, {1, 1})},
      {"the heaviest first",
       {{1.75, 11}, {0.5, 0.8}, {1, 1}, {1.25, 1.5}, {0.5, 1.8}, {1.5, 2.7}, {1.25, 0.7}}},
      {"the heaviest last", {{0.5, 1}, {1, 1}, {1.5, 2}, {1, 1}, {2, 20}}},
      {"hardly any untimed work", {{5, 0.5}, {10, 0.7}, {5, 0.4}, {20, 1}}},
      {"a sweep that grows", {{1, 0.5}, {1, 1}, {1, 2}, {1, 4}, {1, 8}, {1, 16}}},
  };
  return all;
}

// Untimed work takes `scale` times as long as planned on this machine, each family up to 10 % more or less.
TEST(remaining_time, is_within_20_percent_after_the_first_family_of_any_mix) {
  for (const auto& [name, planned] : mixes()) {
    for (const double scale : {0.3, 1.0, 3.0, 10.0}) {
      std::mt19937 random(7);
      std::uniform_real_distribution<double> noise(0.9, 1.1);
      std::vector<double> real;
      for (const auto& p : planned) real.push_back(p.fixed_s + scale * noise(random) * p.data_s);
      const double start_s = 100;
      remaining_time left(planned, start_s);
      double now_s = start_s, rest = 0;
      for (const double t : real) rest += t;
      for (std::size_t i = 0; i + 1 < real.size(); ++i) {
        now_s += real[i];
        rest -= real[i];
        left.advance(i + 1, 0, now_s);
        EXPECT_NEAR(left.seconds(now_s), rest, 0.2 * rest) << name << " × " << scale << " after " << i + 1;
      }
    }
  }
}

// One family takes 15 times as long as planned, as one whose oracle is slow; the others do not.
TEST(remaining_time, one_family_far_from_its_plan_does_not_decide_for_the_others) {
  const std::vector<planned_time> planned(8, {1, 1});
  remaining_time left(planned, 0);
  left.advance(1, 0, 2);
  left.advance(2, 0, 4);
  left.advance(3, 0, 20);
  EXPECT_NEAR(left.seconds(20), 12, 2.5) << "36 by the mean of all";
}

TEST(remaining_time, what_was_measured_before_is_not_scaled_by_what_was_not) {
  std::vector<planned_time> planned(6, {1, 3, true});
  planned[0].measured_before = planned[1].measured_before = false;
  remaining_time left(planned, 0);
  left.advance(1, 0, 31);  // ten times its plan
  EXPECT_NEAR(left.seconds(31), 31 + 4 * 4, 2);
}

TEST(duration_cache, knows_how_long_a_problem_took_with_the_same_variants_and_budget) {
  const auto folder = std::filesystem::temp_directory_path() / fmt::format("ridge-durations-{}", getpid());
  std::filesystem::create_directories(folder);
  const auto families = harness::plan({with_edges("ch01.a")}, {.backend = model::backend::cpu});
  ASSERT_TRUE(families);
  model::family seen{.experiment = "ch01.a", .problem = families->front().problem.point()};
  seen.measurements.resize(2);
  const harness::run_options options;
  duration_cache(folder).keep(seen, options, 12);
  EXPECT_FALSE(duration_cache(folder).find(families->front(), options)) << "it has no results";
  seen.comparisons.resize(1);
  duration_cache(folder).keep(seen, options, 12);
  duration_cache known(folder);
  EXPECT_EQ(known.find(families->front(), options), 12);
  EXPECT_FALSE(known.find(families->back(), options)) << "another problem";
  auto other = options;
  other.profile.budget_per_arm_s *= 2;
  EXPECT_FALSE(known.find(families->front(), other));
  other = options;
  other.suite_budget_s = 5;
  EXPECT_FALSE(known.find(families->front(), other));
  const auto planned = planned_times_of(*families, options, {}, nullptr, &known);
  EXPECT_NEAR(planned.front().fixed_s + planned.front().data_s, 12, 1e-9);
  EXPECT_TRUE(planned.front().measured_before);
  EXPECT_FALSE(planned.back().measured_before);
  known.keep(seen, options, 30);
  EXPECT_EQ(duration_cache(folder).find(families->front(), options), 30) << "the last one holds";
  std::filesystem::remove_all(folder);
}

TEST(remaining_time, is_known_from_the_start_and_goes_down_while_a_family_runs) {
  remaining_time left({{1, 1}, {1, 1}}, 0);
  EXPECT_NEAR(left.seconds(0), 4, 1e-9);
  left.advance(0, 0.25, 1);
  EXPECT_NEAR(left.seconds(1), 3, 1e-9);
  left.advance(0, 0.5, 30);
  EXPECT_NEAR(left.seconds(30), 2.5, 1e-9) << "half of its budget is still to come";
  left.advance(2, 0, 31);
  EXPECT_EQ(left.seconds(31), 0);
}

TEST(remaining_time, shares_rise_from_0_to_1) {
  remaining_time left({{1, 0}, {3, 0}}, 0);
  EXPECT_EQ(left.share(0), 0);
  left.advance(1, 0, 1);
  EXPECT_NEAR(left.share(1), 0.25, 0.01);
  left.advance(2, 0, 4);
  EXPECT_EQ(left.share(4), 1);
}

// Knows variants by name.
struct known_edges final : harness::edge_record {
  std::vector<std::string> tried{};
  std::optional<harness::edge_finding> find(const experiment&, const variant_facts& v) override {
    return std::ranges::count(tried, v.name) > 0 ? std::optional<harness::edge_finding>({.sizes = 3})
                                                 : std::nullopt;
  }
  void keep(const experiment&, const variant_facts&, const harness::edge_finding&) override {}
};

TEST(planned_time, edge_sizes_count_once_an_experiment_and_only_what_was_not_tried) {
  const auto families =
      harness::plan({with_edges("ch01.a"), with_edges("ch01.b")}, {.backend = model::backend::cpu});
  ASSERT_TRUE(families);
  ASSERT_EQ(families->size(), 4u);
  known_edges edges;
  const auto data = [&](harness::edge_record* record) {
    std::vector<double> all;
    for (const auto& p : planned_times_of(*families, {}, {}, record)) all.push_back(p.data_s);
    return all;
  };
  const auto fresh = data(&edges), without = data(nullptr);
  EXPECT_GT(fresh[0], without[0] + 0.02);
  EXPECT_EQ(fresh[1], without[1]) << "the second problem of the same experiment";
  EXPECT_EQ(fresh[2], fresh[0]);
  edges.tried = {"slow"};
  EXPECT_LT(data(&edges)[0], fresh[0]);
  edges.tried = {"slow", "fast"};
  EXPECT_EQ(data(&edges), without);
}

TEST(progress_text, fits_any_width_and_never_loses_the_time_that_is_left) {
  const harness::progress state{.experiment = "ch01.arithmetic_intensity",
                                .problem = "elements=2^24 dtype=fp32",
                                .stage = "measure",
                                .fraction = 0.5,
                                .done = 2,
                                .total = 10};
  for (std::size_t columns = 39; columns <= 120; ++columns) {
    const auto text = progress_text(state, 0.3, 493, columns);
    EXPECT_LE(display_width(text), columns) << text;
    EXPECT_NE(text.find("8 min 13 s left"), std::string::npos) << text;
  }
  EXPECT_EQ(progress_text(state, 0.3, 25, 120),
            "▕███       ▏ 3/10 · 25 s left · ch01.arithmetic_intensity elements=2^24 dtype=fp32 · measure");
  EXPECT_EQ(progress_text(state, 0.3, 25, 60), "▕███       ▏ 3/10 · 25 s left · ch01.arithmetic_intensity");
  EXPECT_EQ(progress_text(state, 0.3, 25, 50), "▕███       ▏ 3/10 · 25 s left · ch01.arithmetic_i…");
}

}  // namespace
}  // namespace ridge::app
