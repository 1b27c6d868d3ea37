// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <gtest/gtest.h>

#include <ridge/harness/runner.hpp>

namespace ridge::harness {
namespace {

struct planned_workload {
  output<float> y{};
};

void zero(planned_workload& w, call&) { std::ranges::fill(w.y, 0.0f); }

ladder<planned_workload> one() { return {{.name = "plain", .is = role::baseline, .run = zero}}; }

// Its one axis takes real numbers.
experiment shares() {
  return experiment_of<planned_workload>{
      .id = "test.shares",
      .title = "Shares",
      .question = "How large a share?",
      .axes = {axis{.name = "share", .values = {0.5, 0.75}, .edges = {}}},
      .make = [](const problem&, memory& m) { return planned_workload{m.out<float>(1)}; },
      .work = [](const problem& p) { return work{.flop = p.real("share")}; },
      .oracle = [](planned_workload& w) { w.y[0] = 0; },
      .within = exact(),
      .cpu = one,
  };
}

// Its axes have a stated range, one that follows from an edge, and one of real numbers.
experiment ranged() {
  return experiment_of<planned_workload>{
      .id = "test.ranged",
      .title = "Ranges",
      .question = "Which values?",
      .axes = {between(values("stride", {4}), 1, 64), values("n", {16}, {0, 3}),
               axis{.name = "share", .values = {0.5}, .edges = {}}},
      .make = [](const problem&, memory& m) { return planned_workload{m.out<float>(1)}; },
      .oracle = [](planned_workload& w) { w.y[0] = 0; },
      .within = exact(),
      .cpu = one,
  };
}

result<std::vector<planned_family>> planned_with(std::string_view axis) {
  run_options options;
  options.axes.push_back(*parse_axis_override(axis));
  return plan({shares()}, options);
}

TEST(modes, are_named_as_they_are_printed) {
  for (const auto m : {mode::warm, mode::graph, mode::host_latency}) EXPECT_EQ(*mode_named(name(m)), m);
  EXPECT_FALSE(mode_named("cold").ok()) << "always measured";
  const auto unknown = mode_named("hot");
  ASSERT_FALSE(unknown.ok());
  EXPECT_EQ(unknown.why().text(),
            "no mode is called \"hot\"; the modes are warm, graph and latency; cold is always measured");
}

TEST(axis_override, reads_lists_powers_and_words) {
  const auto powers = parse_axis_override("n=2^20..26:2");
  ASSERT_TRUE(powers);
  EXPECT_EQ(powers->values.size(), 4u);
  EXPECT_EQ(std::get<std::int64_t>(powers->values.back()), 1 << 26);
  EXPECT_EQ(std::get<std::string>(parse_axis_override("dtype=fp32,bf16")->values[1]), "bf16");
  EXPECT_EQ(std::get<double>(parse_axis_override("share=0.25,1")->values[0]), 0.25);
  EXPECT_TRUE(std::holds_alternative<std::string>(parse_axis_override("x=1.5x")->values[0]));
  EXPECT_FALSE(parse_axis_override("n"));
  EXPECT_FALSE(parse_axis_override("n=2^9..2"));
  EXPECT_FALSE(parse_axis_override("n=,3"));
}

TEST(plan, a_whole_number_given_for_a_real_axis_is_a_real_number) {
  const auto planned = planned_with("share=1,0.25");
  ASSERT_TRUE(planned) << planned.why().text();
  ASSERT_EQ(planned->size(), 2u);
  EXPECT_EQ((*planned)[0].problem.real("share"), 1.0);
  EXPECT_EQ((*planned)[1].problem.real("share"), 0.25);
}

TEST(plan, a_value_of_another_kind_is_an_error_that_names_the_axis) {
  const auto planned = planned_with("share=half");
  ASSERT_FALSE(planned);
  EXPECT_EQ(planned.why().text(),
            "axis \"share\" expects real numbers, got \"half\"; write share=0.5, or see `ridge show ID`");
}

TEST(plan, every_value_of_an_override_is_looked_at) {
  const auto planned = planned_with("share=0.25,half");
  ASSERT_FALSE(planned);
  EXPECT_NE(planned.why().message.find("got \"half\""), std::string::npos) << planned.why().message;
}

// Its first axis takes words, its second one whole numbers and has edges.
experiment sized() {
  return experiment_of<planned_workload>{
      .id = "test.sized",
      .title = "Sized",
      .question = "How large?",
      .axes = {choice("kernel", {"dot", "norm"}), values("n", {8, 16}, {0, 1})},
      .make = [](const problem& p, memory& m) { return planned_workload{m.out<float>(p.count("n"))}; },
      .work = [](const problem& p) { return work{.flop = p.real("n")}; },
      .oracle = [](planned_workload& w) { std::ranges::fill(w.y, 0.0f); },
      .cpu = one,
  };
}

std::vector<std::string> texts(const result<std::vector<planned_family>>& planned) {
  if (!planned) return {planned.why().text()};
  std::vector<std::string> all;
  for (const auto& family : *planned) all.push_back(model::text(family.problem.point()));
  return all;
}

std::vector<std::string> verified_with(const std::vector<std::string_view>& axes) {
  run_options options;
  for (const auto axis : axes) options.axes.push_back(*parse_axis_override(axis));
  return texts(plan_verification({sized()}, options));
}

using points = std::vector<std::string>;

TEST(plan, a_number_for_an_axis_of_words_is_an_error_and_a_word_of_another_experiment_is_left_out) {
  EXPECT_EQ(verified_with({"kernel=8"}), points{"axis \"kernel\" expects words, got \"8\"; "
                                                "write kernel=dot, or see `ridge show ID`"});
  EXPECT_TRUE(verified_with({"kernel=gemm"}).empty());
}

TEST(plan, values_of_another_experiments_kind_are_left_out) {
  run_options options;
  options.axes.push_back(*parse_axis_override("n=0.5,8"));
  const experiment other = experiment_of<planned_workload>{
      .id = "test.real",
      .axes = {axis{.name = "n", .values = {0.25}, .edges = {}}},
      .make = [](const problem&, memory& m) { return planned_workload{m.out<float>(1)}; },
      .work = [](const problem&) { return work{}; },
      .oracle = [](planned_workload& w) { w.y[0] = 0; },
      .cpu = one,
  };
  options.profile.every_problem = false;
  EXPECT_EQ(texts(plan({sized(), other}, options)), (points{"kernel=dot n=8", "n=0.5", "n=8"}));
}

TEST(plan_verification, takes_every_edge_and_the_first_problem_once) {
  EXPECT_EQ(verified_with({}), (points{"kernel=dot n=0", "kernel=dot n=1", "kernel=norm n=0",
                                       "kernel=norm n=1", "kernel=dot n=8"}));
}

TEST(plan_verification, can_leave_out_the_first_problem) {
  run_options options;
  options.edges_only = true;
  EXPECT_EQ(texts(plan_verification({sized()}, options)),
            (points{"kernel=dot n=0", "kernel=dot n=1", "kernel=norm n=0", "kernel=norm n=1"}));
  options.axes.push_back(*parse_axis_override("n=5,6"));
  EXPECT_EQ(texts(plan_verification({sized()}, options)), (points{"kernel=dot n=5", "kernel=dot n=6"}));
}

TEST(plan_verification, an_overridden_axis_has_its_given_values_alone) {
  EXPECT_EQ(verified_with({"n=5,6"}), (points{"kernel=dot n=5", "kernel=dot n=6"}));
  EXPECT_EQ(verified_with({"kernel=norm"}),
            (points{"kernel=norm n=0", "kernel=norm n=1", "kernel=norm n=8"}));
  EXPECT_EQ(verified_with({"kernel=norm", "n=5"}), points{"kernel=norm n=5"});
  EXPECT_EQ(verified_with({"m=5"}), points{"no chosen experiment has an axis \"m\"; did you mean \"n\"?"});
}

TEST(axis_range, is_stated_or_follows_from_what_is_listed) {
  EXPECT_EQ(range_of(values("stride", {64, 2, 1})).least, 1);
  EXPECT_EQ(range_of(values("n", {64}, {0, 1})).least, 0);
  EXPECT_EQ(range_of(values("shift", {-3, 3})).least, -3);
  EXPECT_EQ(range_of(values("n", {64})).most, static_cast<double>(most_things));
  EXPECT_EQ(range_of(between(values("n", {64}), 8, 128)).least, 8);
  EXPECT_EQ(range_of(between(values("n", {64}), 8, 128)).most, 128);
  const axis shares{.name = "share", .values = {0.5, 1.0}};
  EXPECT_TRUE(range_of(shares).above_least);
  EXPECT_EQ(range_of(shares).least, 0);
}

TEST(plan, a_value_outside_the_range_of_its_axis_is_an_error_that_names_the_range) {
  const auto e = ranged();
  for (const auto& [text, remedy] : {std::pair{"stride=-4", "between 1 and 64"},
                                     {"stride=0", "between 1 and 64"},
                                     {"stride=65", "between 1 and 64"},
                                     {"n=-1", "between 0 and 2^47"},
                                     {"n=2^60", "between 0 and 2^47"},
                                     {"share=0.0", "above 0"}}) {
    run_options options;
    options.axes = {*parse_axis_override(text)};
    const auto families = plan({e}, options);
    ASSERT_FALSE(families) << text;
    EXPECT_NE(families.why().text().find("is out of range"), std::string::npos) << families.why().text();
    EXPECT_NE(families.why().text().find(remedy), std::string::npos) << families.why().text();
    EXPECT_FALSE(plan_verification({e}, options)) << text;
  }
  run_options options;
  options.axes = {*parse_axis_override("stride=1,64"), *parse_axis_override("n=0"),
                  *parse_axis_override("share=2")};
  ASSERT_TRUE(plan({e}, options));
  EXPECT_EQ(plan({e}, options)->size(), 2u);
}

TEST(plan, edges_are_those_of_the_experiment_whatever_a_run_overrides) {
  const auto edges = plan_edges(ranged(), model::backend::cpu);
  ASSERT_EQ(edges.size(), 2u);
  EXPECT_EQ(model::text(edges[0].problem.point()), "stride=4 n=0 share=0.5");
  EXPECT_TRUE(plan_edges(ranged(), model::backend::cpu).front().backend == model::backend::cpu);
}

}  // namespace
}  // namespace ridge::harness
