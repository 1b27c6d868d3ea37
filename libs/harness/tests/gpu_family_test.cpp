// SPDX-License-Identifier: Apache-2.0
// A family on a simulated device that is apart from the host, as a GPU is.
#include <algorithm>
#include <memory>
#include <string>

#include <gtest/gtest.h>

#include <ridge/base/error.hpp>
#include <ridge/device/simulated.hpp>
#include <ridge/harness/experiment.hpp>
#include <ridge/harness/runner.hpp>

#include "host_device.hpp"
#include "sampling/family_arms.hpp"

namespace ridge::harness {
namespace {

constexpr double mark_s = 1.3e-6, hz = 1.5e9;

struct queued_workload {
  input<float> x{};
  output<float> y{};
};

// The device that the bodies below compute on.
device::simulated* gpu = nullptr;

void queued_twice(queued_workload& w) {
  std::ranges::transform(w.x, w.y.begin(), [](float v) { return 2 * v; });
}
void in_3_us(queued_workload& w, call&) {
  queued_twice(w);
  gpu->advance(3e-6);
}
void in_5_us(queued_workload& w, call&) {
  queued_twice(w);
  gpu->advance(5e-6);
}
void in_5_us_and_waits(queued_workload& w, call& c) {
  in_5_us(w, c);
  gpu->synchronize();
}
int calls = 0;  // of the body below, in one family
void right_two_times_of_three(queued_workload& w, call& c) {
  in_3_us(w, c);
  if (++calls > 200 && calls % 3 == 0 && !w.y.empty()) w.y[0] += 1;
}
void in_100_us(queued_workload& w, call&) {
  queued_twice(w);
  gpu->advance(100e-6);
}

experiment queued_doubling(ladder_of<queued_workload> variants) {
  return experiment_of<queued_workload>{
      .id = "test.doubling",
      .title = "Doubling",
      .question = "Is it doubled?",
      .axes = {values("n", {64}, {0, 1})},
      .make =
          [](const problem& p, memory& m) {
            return queued_workload{m.in<float>(p.count("n"), normal{}), m.out<float>(p.count("n"))};
          },
      .work = [](const problem& p) { return work{.flop = p.real("n")}; },
      .oracle = [](queued_workload& w) { queued_twice(w); },
      .within = exact(),
      .cuda = variants,
  };
}

model::family measured(ladder_of<queued_workload> variants, std::vector<mode> modes = {}) {
  device::simulated where({.tick_seconds = 32e-9,
                           .apart = true,
                           .mark_seconds = mark_s,
                           .empty_kernel_seconds = 0.5e-6,
                           .hz = hz});
  gpu = &where;
  calls = 0;
  const auto host = host_device_for_tests();
  const instruments with{.device = &where, .host = host.get(), .clock_resolution_s = 50e-9};
  run_options options{.profile = {.name = "test", .budget_per_arm_s = 0.15, .modes = std::move(modes)},
                      .unoptimized = unoptimized_code::judged};
  options.protocol.warm_up_max_s = 0.02;
  const auto e = queued_doubling(variants);
  return measure_family({e, e.problems().front(), model::backend::cuda}, with, options);
}

ladder<queued_workload> two_speeds() {
  return {{.name = "slow", .is = role::baseline, .run = in_5_us}, {.name = "fast", .run = in_3_us}};
}

const model::check& check_of(const model::family& f, std::string_view id) {
  const auto at = std::ranges::find(f.checks, id, &model::check::id);
  EXPECT_NE(at, f.checks.end()) << id;
  return *at;
}

const model::estimate* estimate_of(const model::measurement& m, std::string_view metric) {
  const auto at = std::ranges::find(m.metrics, metric, [](const auto& e) { return e.metric.name; });
  return at == m.metrics.end() ? nullptr : &*at;
}

TEST(gpu_family, the_empty_pair_is_found_and_taken_off) {
  const auto f = measured(two_speeds);
  ASSERT_FALSE(f.comparisons.empty());
  EXPECT_NEAR(f.comparisons.front().ratio, 5.0 / 3, 0.002);
  EXPECT_EQ(f.comparisons.front().verdict, model::verdict::better);
  const auto& events = check_of(f, "events");
  EXPECT_EQ(events.result, model::outcome::pass);
  EXPECT_NEAR(events.value.value(), mark_s, 33e-9);
  EXPECT_NE(events.evidence.find("tick 32.0 ns"), std::string::npos) << events.evidence;
}

void wrong_at_one_end(queued_workload& w, call& c) {
  in_3_us(w, c);
  w.y.back() += 1;
}

TEST(gpu_family, data_of_sampled_elements_are_drawn_where_the_variants_are) {
  device::simulated where({.apart = true});
  gpu = &where;
  const auto host = host_device_for_tests();
  const instruments with{.device = &where, .host = host.get()};
  const experiment sampled = experiment_of<queued_workload>{
      .id = "test.sampled",
      .title = "Doubling",
      .question = "Is it doubled?",
      .axes = {values("n", {1 << 16})},
      .make =
          [](const problem& p, memory& m) {
            return queued_workload{m.in<float>(p.count("n"), normal{}), m.out<float>(p.count("n"))};
          },
      .work = [](const problem& p) { return work{.flop = p.real("n")}; },
      .element = [](const queued_workload& w, std::size_t i) -> double { return 2 * w.x[i]; },
      .cuda = []() -> ladder<queued_workload> {
        return {{.name = "right", .is = role::baseline, .run = in_5_us},
                {.name = "wrong", .run = wrong_at_one_end}};
      },
  };
  const auto f =
      verify_family({sampled, sampled.problems().front(), model::backend::cuda}, with, run_options{});
  EXPECT_EQ(f.measurements[0].refused, "");
  EXPECT_NE(f.measurements[1].refused, "") << "the last element is always looked at";
  EXPECT_EQ(where.calls(device::operation::copy_from_host), 0U);
}

TEST(gpu_family, rounds_are_enqueued_whole_behind_one_hold) {
  const auto f = measured(two_speeds);
  const auto& upkeep = check_of(f, "upkeep");
  EXPECT_EQ(upkeep.result, model::outcome::pass);
  // One of each arm.
  EXPECT_NE(upkeep.evidence.find("up to 2 samples"), std::string::npos) << upkeep.evidence;
  const auto& clocks = check_of(f, "clocks_agree");
  EXPECT_LE(clocks.value.value(), clocks.limit.value()) << clocks.evidence;
}

TEST(gpu_family, a_call_has_cycles_and_the_comparison_says_the_same_in_them) {
  const auto f = measured(two_speeds);
  const auto* cycles = estimate_of(f.measurements[0], "cycles");
  ASSERT_NE(cycles, nullptr);
  EXPECT_NEAR(cycles->median, 5e-6 * hz, 0.01 * 5e-6 * hz);
  const auto& checks = f.comparisons.front().checks;
  const auto at = std::ranges::find(checks, "cycles", &model::check::id);
  ASSERT_NE(at, checks.end());
  EXPECT_EQ(at->result, model::outcome::pass) << at->evidence;
  EXPECT_NEAR(at->value.value(), 5.0 / 3, 0.002);
}

TEST(gpu_family, short_calls_are_measured_in_graphs_unasked) {
  const auto f = measured(two_speeds);
  const auto* in_graph = estimate_of(f.measurements[1], "time (graph)");
  ASSERT_NE(in_graph, nullptr);
  EXPECT_NEAR(in_graph->median, 3e-6, 0.02e-6);
  EXPECT_EQ(check_of(f, "mode.graph").result, model::outcome::pass);
  EXPECT_EQ(estimate_of(f.measurements[1], "time (warm)"), nullptr) << "nobody asked";
}

ladder<queued_workload> long_calls() {
  return {{.name = "slow", .is = role::baseline, .run = in_100_us}, {.name = "same", .run = in_100_us}};
}

TEST(gpu_family, a_sample_with_something_around_its_calls_is_taken_in_the_cold_mode_alone) {
  device::simulated where({.apart = true});
  gpu = &where;
  const auto host = host_device_for_tests();
  const instruments with{.device = &where, .host = host.get()};
  const auto e = queued_doubling(two_speeds);
  const auto p = e.problems().front();
  affinity_plan places;
  auto members = make_rings(*e, p, with, {device::placement::ordinary});
  family_arms arms(*e, p, with, members, places);
  arms.add(0);
  arms.fill(1);
  arms.begin_round(0);
  int around = 0;
  const auto count = [&] { ++around; };
  EXPECT_GT(arms.sampling().take_between(0, 1, count, count), 0);
  EXPECT_EQ(around, 2);
  for (const auto other : {mode::warm, mode::graph, mode::host_latency}) {
    arms.sampling().set_mode(other);
    EXPECT_THROW((void)arms.sampling().take_between(0, 1, count, count), precondition_violated);
  }
  EXPECT_EQ(around, 2);
}

TEST(gpu_family, long_calls_are_measured_in_the_modes_asked_for) {
  EXPECT_EQ(estimate_of(measured(long_calls).measurements[0], "time (graph)"), nullptr);
  const auto f = measured(long_calls, {mode::warm, mode::graph, mode::host_latency});
  for (const auto* name : {"time (warm)", "time (graph)"}) {
    const auto* seen = estimate_of(f.measurements[0], name);
    ASSERT_NE(seen, nullptr) << name;
    EXPECT_NEAR(seen->median, 100e-6, 0.5e-6) << name;
  }
  EXPECT_GT(estimate_of(f.measurements[0], "latency")->median, 0);
  ASSERT_FALSE(f.measurements[0].quantiles.empty());
  EXPECT_EQ(f.measurements[0].quantiles.front().name, "latency p50");
  const auto in_graphs =
      std::ranges::find_if(f.comparisons, [](const auto& c) { return c.metric.name == "time (graph)"; });
  ASSERT_NE(in_graphs, f.comparisons.end());
  EXPECT_FALSE(in_graphs->judged);
  EXPECT_NEAR(in_graphs->ratio, 1, 0.01);
}

ladder<queued_workload> one_waits() {
  return {{.name = "waits", .is = role::baseline, .run = in_5_us_and_waits},
          {.name = "fast", .run = in_3_us}};
}

TEST(gpu_family, a_body_that_waits_is_timed_all_the_same_and_not_in_graphs) {
  const auto f = measured(one_waits);
  ASSERT_FALSE(f.comparisons.empty());
  EXPECT_EQ(f.comparisons.front().verdict, model::verdict::better);
  EXPECT_EQ(estimate_of(f.measurements[0], "time (graph)"), nullptr);
  EXPECT_NE(estimate_of(f.measurements[1], "time (graph)"), nullptr);
  const auto& graphs = check_of(f, "mode.graph");
  EXPECT_EQ(graphs.result, model::outcome::skipped);
  EXPECT_NE(graphs.evidence.find("waits: a wait cannot be recorded"), std::string::npos) << graphs.evidence;
}

ladder<queued_workload> one_errs_now_and_then() {
  return {{.name = "slow", .is = role::baseline, .run = in_5_us},
          {.name = "errs", .run = right_two_times_of_three}};
}

TEST(gpu_family, a_sample_that_is_wrong_now_and_then_makes_the_result_invalid) {
  const auto f = measured(one_errs_now_and_then);
  ASSERT_FALSE(f.comparisons.empty());
  EXPECT_EQ(f.comparisons.front().verdict, model::verdict::invalid);
}

ladder<queued_workload> the_baseline_errs_now_and_then() {
  return {{.name = "errs", .is = role::baseline, .run = right_two_times_of_three},
          {.name = "slow", .run = in_5_us}};
}

TEST(gpu_family, a_baseline_that_is_wrong_now_and_then_makes_the_result_invalid) {
  const auto f = measured(the_baseline_errs_now_and_then);
  ASSERT_FALSE(f.comparisons.empty());
  EXPECT_EQ(f.comparisons.front().verdict, model::verdict::invalid);
  const auto& checks = f.comparisons.front().checks;
  const auto timed = std::ranges::find(checks, "timed_results", &model::check::id);
  ASSERT_NE(timed, checks.end());
  EXPECT_EQ(timed->result, model::outcome::fail);
}

}  // namespace
}  // namespace ridge::harness
