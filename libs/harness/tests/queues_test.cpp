// SPDX-License-Identifier: Apache-2.0
// Variants on several queues and GPUs of a simulated device that is apart from the host.
#include <algorithm>
#include <memory>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ridge/base/error.hpp>
#include <ridge/device/simulated.hpp>
#include <ridge/harness/experiment.hpp>
#include <ridge/harness/runner.hpp>

#include "host_device.hpp"

namespace ridge::harness {
namespace {

using testing::HasSubstr;

struct halves {
  input<float> x{};
  output<float> y{};
};

device::simulated* two_queued = nullptr;  // the device that the bodies below compute on

void copy_all(halves& w) { std::ranges::copy(w.x, w.y.begin()); }

// 5 us of work on the stream that the call is timed on, 3 us on another.
void one_after_the_other(halves& w, call& c) {
  copy_all(w);
  two_queued->advance_on(c.queue(), 5e-6);
  two_queued->advance_on(c.queue(), 3e-6);
}
void side_by_side(halves& w, call& c) {
  copy_all(w);
  two_queued->advance_on(c.queue(), 3e-6);
  two_queued->advance_on(c.queue(1), 5e-6);
}
void on_the_second_gpu(halves& w, call& c) {
  copy_all(w);
  two_queued->advance_on(c.queue_on(1), 4e-6);
}
auto as_its_setup(halves&, setup& s) {
  return [first = s.queue(), second = s.queue(1)](halves& w, call& c) {
    if (first == c.queue() && second == c.queue(1) && second != first) copy_all(w);
  };
}

ladder<halves> all_declared() {
  return {{.name = "in turn", .is = role::baseline, .run = one_after_the_other},
          {.name = "at once", .run = side_by_side, .needs = {.queues = 2}},
          {.name = "other GPU", .run = on_the_second_gpu, .needs = {.gpus = 2}},
          {.name = "same in setup", .run = as_its_setup, .needs = {.queues = 2}}};
}
ladder<halves> undeclared() {
  return {{.name = "in turn", .is = role::baseline, .run = one_after_the_other},
          {.name = "second queue", .run = side_by_side},
          {.name = "second GPU", .run = on_the_second_gpu, .needs = {.queues = 2}}};
}

experiment halving(ladder_of<halves> variants) {
  return experiment_of<halves>{
      .id = "test.queues",
      .title = "Copies",
      .question = "On how many queues?",
      .axes = {values("n", {64})},
      .make =
          [](const problem& p, memory& m) {
            return halves{m.in<float>(p.count("n"), normal{}), m.out<float>(p.count("n"))};
          },
      .work =
          [](const problem& p) {
            return work::streaming(reads<float>(p.count("n")), writes<float>(p.count("n")));
          },
      .oracle = [](halves& w) { copy_all(w); },
      .within = exact(),
      .cuda = variants,
  };
}

model::family measured_on_queues(ladder_of<halves> variants, std::size_t gpus) {
  device::simulated where({.tick_seconds = 1e-9, .apart = true, .gpus = gpus});
  two_queued = &where;
  const auto host = host_device_for_tests();
  run_options options{.profile = {.name = "test", .budget_per_arm_s = 0.02},
                      .unoptimized = unoptimized_code::judged};
  options.protocol.warm_up_max_s = 0.01;
  const auto e = halving(variants);
  return measure_family({e, e.problems().front(), model::backend::cuda},
                        {.device = &where, .host = host.get()}, options);
}

double microseconds_of(const model::measurement& m) {
  const auto time = std::ranges::find(m.metrics, "time", [](const auto& e) { return e.metric.name; });
  return time == m.metrics.end() ? 0 : time->median * 1e6;
}

TEST(queues, the_timed_window_holds_the_work_of_all_of_them) {
  const auto f = measured_on_queues(all_declared, 2);
  for (const auto& m : f.measurements) EXPECT_EQ(m.skipped + m.refused, "") << m.variant;
  EXPECT_NEAR(microseconds_of(f.measurements[0]), 8, 0.05);
  EXPECT_NEAR(microseconds_of(f.measurements[1]), 5, 0.05);
  EXPECT_NEAR(microseconds_of(f.measurements[2]), 4, 0.05);
}

TEST(queues, one_that_was_not_declared_refuses_the_variant) {
  const auto f = measured_on_queues(undeclared, 2);
  EXPECT_THAT(
      f.measurements[1].refused,
      HasSubstr("queue 1 of GPU 0 is not declared: this variant's .needs say {.gpus = 1, .queues = 1}"));
  EXPECT_THAT(f.measurements[2].refused, HasSubstr("queue 0 of GPU 1 is not declared"));
}

TEST(queues, a_variant_on_more_gpus_than_there_are_is_skipped) {
  const auto f = measured_on_queues(all_declared, 1);
  EXPECT_EQ(f.measurements[2].skipped, "needs 2 GPUs, 1 is here");
  EXPECT_EQ(f.measurements[1].skipped, "");
}

TEST(queues, there_is_one_null_queue_where_bodies_run_as_they_are_called) {
  const call c({});
  EXPECT_EQ(c.queue(), nullptr);
  EXPECT_EQ(c.queue(0), nullptr);
  EXPECT_EQ(c.gpus(), 1);
  EXPECT_FALSE(c.forks());
  EXPECT_THROW((void)c.queue(1), precondition_violated);
}

}  // namespace
}  // namespace ridge::harness
