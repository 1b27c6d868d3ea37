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
  EXPECT_NE(planned.why().message.find("\"share\""), std::string::npos);
}

}  // namespace
}  // namespace ridge::harness
