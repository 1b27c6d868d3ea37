// SPDX-License-Identifier: Apache-2.0
// Variants that take the process or the GPU's context of a family with them.
#include <algorithm>
#include <chrono>
#include <csignal>
#include <memory>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ridge/device/simulated.hpp>
#include <ridge/harness/experiment.hpp>
#include <ridge/harness/runner.hpp>

#include "host_device.hpp"

namespace ridge::harness {
namespace {

using testing::HasSubstr;

struct ending_workload {
  input<float> x{};
  output<float> y{};
};

device::simulated* its_device = nullptr;

void ending_twice(ending_workload& w) {
  std::ranges::transform(w.x, w.y.begin(), [](float v) { return 2 * v; });
}
void ends_well(ending_workload& w, call&) {
  ending_twice(w);
  its_device->advance(20e-6);
}
// Does `Deed` after so many calls that only timing makes.
template <auto Deed>
void ends_badly(ending_workload& w, call& c) {
  static int calls = 0;
  ends_well(w, c);
  if (++calls > 20) Deed();
}
void hang() { std::this_thread::sleep_for(std::chrono::seconds(100)); }
void crash_hard() { std::raise(SIGSEGV); }
// The device is lost at the first call.
void faults_at_once(ending_workload&, call&) {
  its_device->lose();
  throw failure({"an illegal address", ""});
}

template <auto Run>
ladder<ending_workload> one_ends_as() {
  return {{.name = "well", .is = role::baseline, .run = ends_well},
          {.name = "badly", .run = Run},
          {.name = "also well", .run = ends_well}};
}

model::family measured_on_one(ladder_of<ending_workload> variants) {
  const experiment e = experiment_of<ending_workload>{
      .id = "test.ending",
      .title = "Doubling",
      .question = "Does it end?",
      .axes = {values("n", {64})},
      .make =
          [](const problem& p, memory& m) {
            return ending_workload{m.in<float>(p.count("n"), normal{}), m.out<float>(p.count("n"))};
          },
      .work = [](const problem& p) { return work{.flop = p.real("n")}; },
      .oracle = ending_twice,
      .cuda = variants,
  };
  const auto host = host_device_for_tests();
  instruments with{.device = host.get()};
  with.open_gpu = [] {
    auto gpu = std::make_unique<device::simulated>(device::simulated_behaviour{.apart = true});
    its_device = gpu.get();
    return opened_gpu{.device = std::move(gpu)};
  };
  run_options options{.profile = {.name = "test", .budget_per_arm_s = 0.02},
                      .unoptimized = unoptimized_code::judged};
  options.protocol.warm_up_max_s = 0.01;
  options.stall_limit_s = 1;
  listener nobody;
  return run_all({}, {{e, e.problems().front(), model::backend::cuda}}, with, options, nobody).families.at(0);
}

void expect_that_only_one_is_refused(const model::family& f, const std::string& why) {
  ASSERT_EQ(f.measurements.size(), 3U) << f.skipped;
  EXPECT_EQ(f.measurements[0].refused, "");
  EXPECT_THAT(f.measurements[1].refused, HasSubstr(why));
  EXPECT_EQ(f.measurements[2].refused, "");
  const auto other = std::ranges::find(f.comparisons, "also well", &model::comparison::candidate);
  EXPECT_NE(other, f.comparisons.end());
}

TEST(gpu_process, that_does_not_end_costs_one_variant) {
  expect_that_only_one_is_refused(measured_on_one(one_ends_as<ends_badly<hang>>),
                                  "did not end within 1 s while it was timed");
}
TEST(gpu_process, that_crashes_costs_one_variant) {
  expect_that_only_one_is_refused(measured_on_one(one_ends_as<ends_badly<crash_hard>>), "SIGSEGV");
}
TEST(gpu_process, that_loses_its_device_in_verification_costs_one_variant) {
  expect_that_only_one_is_refused(measured_on_one(one_ends_as<faults_at_once>), "an illegal address");
}

}  // namespace
}  // namespace ridge::harness
