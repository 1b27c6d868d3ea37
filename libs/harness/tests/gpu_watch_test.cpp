// SPDX-License-Identifier: Apache-2.0
#include "verify/gpu_watch.hpp"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ridge/device/simulated.hpp>
#include <ridge/harness/experiment.hpp>
#include <ridge/harness/runner.hpp>

namespace ridge::harness {
namespace {

constexpr std::size_t mebibyte = std::size_t{1} << 20;

TEST(gpu_watch, says_nothing_of_declared_gpus_and_of_those_left_alone) {
  device::simulated where({.gpus = 3});
  const gpu_watch watch(where, 2);
  where.use_gpu(0, 64 * mebibyte);
  where.use_gpu(1, 64 * mebibyte);
  EXPECT_EQ(watch.undeclared_use(), "");
}

TEST(gpu_watch, finds_one_that_was_opened) {
  device::simulated where({.gpus = 3});
  const gpu_watch watch(where, 2);
  where.use_gpu(2, 0);
  EXPECT_EQ(watch.undeclared_use(), "uses GPU 2 (opened it) and declares 2: set .needs.gpus");
}

TEST(gpu_watch, finds_memory_taken_of_one_that_another_variant_opened) {
  device::simulated where({.gpus = 2});
  where.use_gpu(1, mebibyte);
  const gpu_watch watch(where, 1);
  where.use_gpu(1, mebibyte);  // less than a driver gives at once: somebody else's
  EXPECT_EQ(watch.undeclared_use(), "");
  where.use_gpu(1, 64 * mebibyte);
  EXPECT_THAT(watch.undeclared_use(), testing::StartsWith("uses GPU 1 (took "));
}

struct watched_workload {
  input<float> x{};
  output<float> y{};
};

device::simulated* here = nullptr;

void copy_on_two(watched_workload& w, call&) {
  if (here->gpus().size() > 1) here->use_gpu(1, 4 * mebibyte);
  std::ranges::copy(w.x, w.y.begin());
}
// Right where both the untimed part and the call are told how many there are.
auto copy_as_declared(watched_workload&, setup& s) {
  return [told = s.gpus()](watched_workload& w, call& c) {
    if (told == 2 && c.gpus() == 2) copy_on_two(w, c);
  };
}
void copy(watched_workload& w, call&) { std::ranges::copy(w.x, w.y.begin()); }

ladder<watched_workload> variants() {
  return {{.name = "one", .is = role::baseline, .run = copy},
          {.name = "two", .run = copy_as_declared, .needs = {.gpus = 2}},
          {.name = "two in secret", .run = copy_on_two}};
}

model::family verified_on(device::simulated& device) {
  here = &device;
  const experiment e = experiment_of<watched_workload>{
      .id = "test.gpus",
      .title = "Copies",
      .question = "On how many GPUs?",
      .axes = {values("n", {64})},
      .make =
          [](const problem& p, memory& m) {
            return watched_workload{m.in<float>(p.count("n"), normal{}), m.out<float>(p.count("n"))};
          },
      .work = [](const problem& p) { return work{.bytes_read = 4.0 * p.real("n")}; },
      .oracle = [](watched_workload& w) { std::ranges::copy(w.x, w.y.begin()); },
      .within = exact(),
      .cpu = variants,
  };
  return verify_family({e, e.problems().front(), model::backend::cpu}, {.device = &device}, {});
}

TEST(gpus, a_variant_that_needs_more_than_there_are_is_skipped_with_the_reason) {
  device::simulated where;
  const auto f = verified_on(where);
  EXPECT_EQ(f.measurements[0].skipped, "");
  EXPECT_EQ(f.measurements[1].skipped, "needs 2 GPUs, 1 is here");
}

TEST(gpus, undeclared_use_refuses_a_variant_and_declared_use_does_not) {
  device::simulated where({.gpus = 2});
  const auto f = verified_on(where);
  EXPECT_EQ(f.measurements[1].skipped + f.measurements[1].refused, "");
  EXPECT_THAT(f.measurements[2].refused, testing::HasSubstr("uses GPU 1 (opened it) and declares 1"));
}

}  // namespace
}  // namespace ridge::harness
