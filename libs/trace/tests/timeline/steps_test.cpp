// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <ridge/trace/choose_steps.hpp>
#include <ridge/trace/steps.hpp>

#include "fixtures/scene.hpp"

namespace ridge::trace {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::vector<std::int64_t> numbers(std::span<const step> steps) {
  std::vector<std::int64_t> out;
  for (const auto& s : steps) out.push_back(s.number);
  return out;
}

fixtures::scene& profiler_steps(fixtures::scene& scene, int first, int last) {
  for (int n = first; n <= last; ++n)
    scene.annotation("ProfilerStep#" + std::to_string(n), (n - first) * 100, 90);
  return scene;
}

TEST(steps, come_from_profiler_steps_before_anything_else) {
  fixtures::scene in;
  for (int n = 0; n < 5; ++n) in.annotation("iteration " + std::to_string(n), n * 1000, 1000, 2);
  const auto found = steps_of(profiler_steps(in, 7, 9).build());
  EXPECT_EQ(found.source, step_source::profiler_step);
  EXPECT_EQ(found.annotation, "ProfilerStep#");
  EXPECT_THAT(numbers(found.steps), ElementsAre(7, 8, 9));
  EXPECT_EQ(found.steps[1].window, (time_range{100, 190}));
  EXPECT_TRUE(found.steps.front().first && found.steps.back().last);
  EXPECT_FALSE(found.steps[1].first || found.steps[1].last);
  EXPECT_THAT(numbers(found.steady()), ElementsAre(8));
  EXPECT_EQ(window_of(found.steps), (time_range{0, 290}));
}

TEST(steps, are_found_among_the_operators_of_old_traces) {
  fixtures::scene in;
  in.op("ProfilerStep#3", 0, 10).op("ProfilerStep#4", 10, 10).op("step 9", 0, 5, {}, 2);
  EXPECT_THAT(numbers(steps_of(in.build()).steps), ElementsAre(3, 4));
}

TEST(steps, come_from_ranges_that_the_user_numbered) {
  fixtures::scene in;
  for (int n = 4; n < 8; ++n) {
    in.annotation("train/step_" + std::to_string(n), n * 100, 80);
    in.annotation("aten::mul, seq = 1, op_id = " + std::to_string(n), n * 100, 90,
                  2);  // numbered, but no step
    in.annotation("substep 1", n * 100, 70, 3);
  }
  const auto found = steps_of(in.build());
  EXPECT_EQ(found.source, step_source::numbered);
  EXPECT_EQ(found.annotation, "train/step_");
  EXPECT_THAT(numbers(found.steps), ElementsAre(4, 5, 6, 7));
}

TEST(steps, must_be_numbered_upwards) {
  fixtures::scene in;
  in.annotation("step 5", 0, 10).annotation("step 4", 20, 10);
  EXPECT_EQ(steps_of(in.build()).source, step_source::unknown);
}

TEST(steps, are_the_periods_of_the_annotation_that_repeats_and_covers_most) {
  fixtures::scene in;
  for (int n = 0; n < 4; ++n) {
    in.annotation("Optimizer.step#SGD.step", n * 100 + 70, 20);
    in.annotation("load", n * 100, 5);
  }
  for (const int at : {0, 3, 250, 390}) in.annotation("eval", at, 100, 2);  // covers more, but at no period
  const auto found = steps_of(in.build());
  EXPECT_EQ(found.source, step_source::periodic);
  EXPECT_EQ(found.annotation, "Optimizer.step#SGD.step");
  EXPECT_EQ(found.steps[0].window, (time_range{70, 170}));
  EXPECT_EQ(found.steps[3].window, (time_range{370, 390}));  // cut: nothing says where its period ends
  EXPECT_THAT(numbers(found.steps), ElementsAre(0, 1, 2, 3));
}

TEST(steps, are_none_where_nothing_repeats) {
  fixtures::scene in;
  in.annotation("once", 0, 10).kernel("k", 5, 20);
  const auto t = in.build();
  EXPECT_EQ(steps_of(t).source, step_source::unknown);
  EXPECT_EQ(whole_window(t), (time_range{5, 25}));
  EXPECT_EQ(whole_window(fixtures::scene().op("a", 3, 4).op("b", 1, 1).build()), (time_range{1, 7}));
}

TEST(steps, nested_in_a_step_of_the_same_name_do_not_count) {
  fixtures::scene in;
  in.annotation("ProfilerStep#1", 0, 100)
      .annotation("ProfilerStep#1", 10, 50)
      .annotation("ProfilerStep#2", 100, 90);
  EXPECT_THAT(numbers(steps_of(in.build()).steps), ElementsAre(1, 2));
}

TEST(choose_steps, takes_numbers_ranges_and_words) {
  fixtures::scene in;
  const auto from = steps_of(profiler_steps(in, 1, 6).build());
  EXPECT_THAT(numbers(choose_steps(from, "2-4").value()), ElementsAre(2, 3, 4));
  EXPECT_THAT(numbers(choose_steps(from, "last,2,5-9").value()), ElementsAre(2, 5, 6));
  EXPECT_THAT(numbers(choose_steps(from, "first").value()), ElementsAre(1));
  EXPECT_THAT(numbers(choose_steps(from, "steady").value()), ElementsAre(2, 3, 4, 5));
  EXPECT_EQ(choose_steps(from, "all").value().size(), 6);
}

TEST(choose_steps, says_which_steps_there_are_when_it_finds_none) {
  fixtures::scene in;
  const auto from = steps_of(profiler_steps(in, 1, 6).build());
  for (const auto* text : {"9", "5-2", "", "x", "1-", "99999999999999999999"}) {
    const auto chosen = choose_steps(from, text);
    ASSERT_FALSE(chosen.ok()) << text;
    EXPECT_THAT(chosen.why().remedy, HasSubstr("1 to 6")) << text;
  }
  EXPECT_THAT(choose_steps({}, "1").why().remedy, HasSubstr("no steps"));
}

}  // namespace
}  // namespace ridge::trace
