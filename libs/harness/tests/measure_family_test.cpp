// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <bit>
#include <cstdlib>
#include <functional>
#include <numeric>

#include <gtest/gtest.h>
#include <ridge/harness/experiment.hpp>
#include <ridge/harness/runner.hpp>

#include "doubling.hpp"
#include "host_device.hpp"

namespace ridge::harness {
namespace {

model::family measured(ladder_of<doubling_workload> variants, const model::peak* peak = nullptr,
                       ceiling_gauge gauge = {},
                       std::function<void(std::string_view, double)> stage_over = {}) {
  const auto where = host_device_for_tests();
  const instruments with{.device = where.get(),
                         .peak = peak,
                         .gauge = std::move(gauge),
                         .library_in_words = [](std::string_view name) { return std::string(name) + " 1.0"; },
                         .stage_over = std::move(stage_over)};
  const auto e = doubling(variants, 4096);
  return measure_family({e, e.problems().front(), model::backend::cpu}, with, short_session(1));
}

ladder<doubling_workload> honest() {
  return {{.name = "four passes", .is = role::baseline, .idea = "every pass writes all", .run = in_passes<4>},
          {.name = "one pass", .run = twice}};
}

TEST(family, an_honest_gain_is_verified_and_found) {
  const auto f = measured(honest);
  ASSERT_EQ(f.comparisons.size(), 1u);
  const auto& c = f.comparisons.front();
  EXPECT_EQ(c.verdict, model::verdict::better) << c.ratio << " [" << c.ci.lo << ", " << c.ci.hi << "]";
  EXPECT_GT(c.ratio, 1.5);
  EXPECT_EQ(c.assurance, 2);
  EXPECT_GE(f.measurements[0].samples.front().value.size(), 12u);
  for (const auto& k : c.checks) EXPECT_NE(k.result, model::outcome::fail) << k.id << ": " << k.evidence;
}

// The honest ladder on a machine whose stored ceiling says that it cannot be so fast.
model::family measured_below_a_ceiling(bool disturbed) {
  const model::peak peak{
      .ceilings = {
          {.id = "cpu.triad", .unit = "B/s", .value = 1e3, .ci = {0.9e3, 1.1e3}, .disturbed = disturbed}}};
  return measured(honest, &peak);
}

TEST(family, a_ceiling_that_is_clearly_exceeded_makes_a_comparison_invalid) {
  const auto f = measured_below_a_ceiling(false);
  ASSERT_EQ(f.comparisons.size(), 1u);
  EXPECT_GT(*f.measurements[0].of_ceiling, 1.25);
  EXPECT_EQ(f.comparisons.front().verdict, model::verdict::invalid);
  EXPECT_EQ(f.comparisons.front().assurance, 0);
}

TEST(family, a_disturbed_ceiling_that_is_exceeded_is_noted_and_the_verdict_stands) {
  const auto f = measured_below_a_ceiling(true);
  ASSERT_EQ(f.comparisons.size(), 1u);
  EXPECT_EQ(f.comparisons.front().verdict, model::verdict::better);
  EXPECT_EQ(f.comparisons.front().assurance, 1);
}

// The machine is slow when its ceilings are measured and during the session, and fast after it.
TEST(family, a_ceiling_that_is_exceeded_is_measured_once_more_and_the_higher_value_counts) {
  const model::peak peak{
      .ceilings = {{.id = "cpu.triad", .unit = "B/s", .value = 1e3, .ci = {0.9e3, 1.1e3}}}};
  bool after = false;
  const auto quick = measured(
      honest, &peak, [&](std::string_view, host::team*) { return after ? 1e15 : 1e3; },
      [&](std::string_view stage, double) { after = after || stage == "recheck"; });
  ASSERT_EQ(quick.comparisons.size(), 1u);
  EXPECT_EQ(quick.comparisons.front().verdict, model::verdict::better);
  EXPECT_LT(*quick.measurements[0].of_ceiling, 1);
  EXPECT_EQ(quick.measurements[0].ceiling_rate, 1e15);
  EXPECT_EQ(quick.measurements[0].ceiling_first, 1e3);
  const auto slow = measured(honest, &peak, [](std::string_view, host::team*) { return 1e3; });
  EXPECT_EQ(slow.comparisons.front().verdict, model::verdict::invalid);
  EXPECT_EQ(slow.measurements[0].ceiling_first, 1e3);
  EXPECT_EQ(slow.measurements[0].ceiling_again, 1e3);
}

ladder<doubling_workload> with_a_library() {
  return {{.name = "four passes", .is = role::baseline, .idea = "every pass writes all", .run = in_passes<4>},
          {.name = "one pass", .run = twice},
          {.name = "theirs", .is = role::comparator, .run = in_passes<2>, .needs = {.library = "openblas"}}};
}

TEST(family, every_comparison_with_a_library_says_what_decides_how_it_computes) {
  setenv("OPENBLAS_CORETYPE", "Prescott", 1);
  setenv("DNNL_VERBOSE", "1", 1);  // of another library
  const auto f = measured(with_a_library);
  unsetenv("OPENBLAS_CORETYPE");
  unsetenv("DNNL_VERBOSE");
  std::size_t with = 0;
  for (const auto& c : f.comparisons) {
    const bool library = c.reference == "theirs" || c.candidate == "theirs";
    ASSERT_EQ(c.libraries.size(), library ? 1u : 0u) << c.candidate << " vs " << c.reference;
    if (!library) continue;
    ++with;
    const auto words = in_words(c.libraries.front());  // and what else this machine sets
    EXPECT_TRUE(words.starts_with("openblas 1.0, 1 thread, OPENBLAS_CORETYPE=Prescott is set")) << words;
    EXPECT_EQ(words.find("DNNL_VERBOSE"), std::string::npos) << words;
  }
  EXPECT_GE(with, 1u) << "the best own variant against it";
}

// The faster one is narrower than the library.
ladder<doubling_workload> with_a_narrow_variant() {
  return {{.name = "four passes", .is = role::baseline, .run = in_passes<4>},
          {.name = "wide", .run = in_passes<3>},
          {.name = "narrow", .run = twice, .arithmetic = arithmetic::fp8},
          {.name = "theirs", .is = role::comparator, .run = in_passes<2>, .needs = {.library = "openblas"}}};
}

TEST(family, a_library_is_compared_with_variants_of_its_own_arithmetic) {
  const auto f = measured(with_a_narrow_variant);
  std::vector<std::string> rivals;
  for (const auto& c : f.comparisons) {
    if (c.reference == "theirs") rivals.push_back(c.candidate);
  }
  EXPECT_EQ(rivals, std::vector<std::string>{"wide"});
}

ladder<doubling_workload> unwritten_tail() {
  return {{.name = "right", .is = role::baseline, .run = twice},
          {.name = "short", .run = [](doubling_workload& w, call&) {
             for (std::size_t i = 0; i + 1 < w.x.size(); ++i) w.y[i] = 2 * w.x[i];
           }}};
}

TEST(family, an_unwritten_tail_is_refused_and_never_timed) {
  const auto f = measured(unwritten_tail);
  EXPECT_NE(f.measurements[1].refused.find("never written"), std::string::npos) << f.measurements[1].refused;
  EXPECT_TRUE(f.measurements[1].samples.empty());
  EXPECT_TRUE(f.comparisons.empty());
  EXPECT_FALSE(f.measurements[0].samples.empty()) << "the others are measured all the same";
}

ladder<doubling_workload> one_half_and_one_unwritten() {
  return {{.name = "half", .is = role::baseline, .run = [](doubling_workload& w, call&) {
             std::ranges::fill(w.y, 1.125f);
             w.y[2] = 0.5f;
             w.y[3] = std::bit_cast<float>(0xffffffffu);
           }}};
}

TEST(family, a_wrong_element_is_told_with_its_difference_and_the_allowed_one) {
  const auto where = host_device_for_tests();
  const experiment e = experiment_of<doubling_workload>{
      .id = "test.zeros",
      .axes = {values("n", {4})},
      .make =
          [](const problem& p, memory& m) {
            return doubling_workload{m.in<float>(p.count("n"), normal{}), m.out<float>(p.count("n"))};
          },
      .work = [](const problem&) { return work{}; },
      .oracle = [](doubling_workload& w) { std::ranges::fill(w.y, 1.0f); },
      .within = tolerance{.abs = 0.125, .rel = 0.125},
      .cpu = one_half_and_one_unwritten,
  };
  const auto f =
      verify_family({e, e.problems().front(), model::backend::cpu}, {.device = where.get()}, run_options{});
  ASSERT_EQ(f.measurements.size(), 1u);
  EXPECT_NE(
      f.measurements[0].refused.find("[2] 0.5, expected 1 (differs by 0.5, allowed 0.25); [3] was never "
                                     "written, expected 1"),
      std::string::npos)
      << f.measurements[0].refused;
}

ladder<doubling_workload> past_the_end() {
  return {{.name = "right", .is = role::baseline, .run = twice},
          {.name = "long", .run = [](doubling_workload& w, call& c) {
             twice(w, c);
             w.y.data()[w.y.size()] = 1;
           }}};
}

TEST(family, a_write_past_the_end_is_refused_and_the_program_lives) {
  const auto f = measured(past_the_end);
  EXPECT_NE(f.measurements[1].refused.find("outside its arrays"), std::string::npos)
      << f.measurements[1].refused;
}

// Right while it is verified, stale once it is timed: computes only the first few calls in its process.
ladder<doubling_workload> lazy() {
  return {{.name = "right", .is = role::baseline, .run = twice},
          {.name = "lazy", .run = [](doubling_workload& w, call& c) {
             static int calls = 0;
             if (++calls % 7 != 0) twice(w, c);
           }}};
}

TEST(family, a_body_that_skips_calls_is_refused_after_the_fact) {
  const auto f = measured(lazy);
  EXPECT_FALSE(f.measurements[1].refused.empty());
  ASSERT_EQ(f.comparisons.size(), 1u);
  EXPECT_EQ(f.comparisons.front().verdict, model::verdict::invalid);
}

ladder<doubling_workload> exits() {
  return {{.name = "right", .is = role::baseline, .run = twice},
          {.name = "quits", .run = [](doubling_workload&, call&) { std::_Exit(0); }}};
}

TEST(family, a_body_that_ends_the_process_is_refused) {
  EXPECT_NE(measured(exits).measurements[1].refused.find("ended the process"), std::string::npos);
}

ladder<doubling_workload> changes_input() {
  return {{.name = "right", .is = role::baseline, .run = twice},
          {.name = "in place", .run = [](doubling_workload& w, call& c) {
             twice(w, c);
             const_cast<float&>(w.x[5]) += 1;
           }}};
}

TEST(family, a_changed_input_is_refused) {
  EXPECT_EQ(measured(changes_input).measurements[1].refused, "changed its inputs");
}

ladder<doubling_workload> needs_the_impossible() {
  return {{.name = "right", .is = role::baseline, .run = twice},
          {.name = "future", .run = twice, .needs = {.isa = {"avx4096"}}}};
}

TEST(family, what_the_machine_lacks_is_skipped_with_the_reason) {
  const auto f = measured(needs_the_impossible);
  EXPECT_NE(f.measurements[1].skipped.find("avx4096"), std::string::npos);
}

TEST(family, the_data_of_a_problem_may_be_empty) {
  const auto where = host_device_for_tests();
  const auto e = doubling(honest, 4096);
  for (const auto& p : edge_problems_of(e->axes)) {
    const auto f = verify_family({e, p, model::backend::cpu}, {.device = where.get()}, {});
    for (const auto& m : f.measurements)
      EXPECT_EQ(m.refused, "") << model::text(p.point()) << " " << m.variant;
  }
}

}  // namespace
}  // namespace ridge::harness
