// SPDX-License-Identifier: Apache-2.0
#include "audit/gpu_audits.hpp"

#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <functional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "host_device.hpp"
#include "traced_call.hpp"

namespace ridge::harness {
namespace {

using model::outcome;
using testing::HasSubstr;

// Hands over what a script says of its n-th trace (0: of a setup, then two calls, then the next setup ...).
class scripted_tracer final : public measure::gpu_tracer {
 public:
  using script = std::function<measure::gpu_trace(std::size_t n)>;
  explicit scripted_tracer(script says, std::string missing = {})
      : says_(std::move(says)), missing_(std::move(missing)) {}
  std::string_view unavailable_because() const override { return missing_; }
  void start() override {}
  measure::gpu_trace stop() override { return says_(traces_++); }

 private:
  script says_;
  std::string missing_;
  std::size_t traces_ = 0;
};

instruments traced_by(const scripted_tracer::script& says) {
  instruments with;
  with.open_traced_gpu = [says] {
    return traced_gpu{std::make_unique<scripted_tracer>(says), host_device_for_tests()};
  };
  return with;
}

struct audited_workload {
  input<float> x{};
  output<float> y{};
};

void audited_twice(audited_workload& w, call&) {
  std::ranges::transform(w.x, w.y.begin(), [](float v) { return 2 * v; });
}

ladder<audited_workload> two_variants() {
  return {{.name = "a", .is = role::baseline, .run = audited_twice}, {.name = "b", .run = audited_twice}};
}

ladder<audited_workload> one_faults() {
  return {{.name = "a", .is = role::baseline, .run = audited_twice},
          {.name = "b", .run = [](audited_workload&, call&) { std::raise(SIGSEGV); }}};
}

ladder<audited_workload> one_hangs() {
  return {{.name = "a", .is = role::baseline, .run = audited_twice},
          {.name = "b", .run = [](audited_workload&, call&) { pause(); }}};
}

planned_family family_of(ladder_of<audited_workload> variants) {
  const experiment e = experiment_of<audited_workload>{
      .id = "test.doubling",
      .title = "Doubling",
      .question = "Is it doubled?",
      .axes = {values("n", {256})},
      .make =
          [](const problem& p, memory& m) {
            return audited_workload{m.in<float>(p.count("n"), normal{}), m.out<float>(p.count("n"))};
          },
      .work = [](const problem&) { return work{}; },
      .oracle = [](audited_workload&) {},
      .cuda = variants,
  };
  return {e, e.problems().front(), model::backend::cuda};
}

measure::gpu_trace always_honest(std::size_t) { return tests::traced_call(); }

// Like always_honest, except that the second call of the second variant leaves work behind.
measure::gpu_trace second_is_late(std::size_t n) {
  auto trace = tests::traced_call();
  if (n == 5) {
    trace.activities[2].stream = 14;
    trace.activities[2].end_s = 300e-6;
  }
  return trace;
}

model::family measured_pair() {
  model::family f{.measurements = {{.variant = "a"}, {.variant = "b"}}};
  f.comparisons = {{.reference = "a", .candidate = "b", .verdict = model::verdict::better, .assurance = 2}};
  return f;
}

TEST(gpu_audits, honest_variants_pass_and_keep_their_assurance) {
  const auto audited = audit_in_child({family_of(two_variants)}, traced_by(always_honest), {});
  ASSERT_EQ(audited.size(), 1U);
  ASSERT_EQ(audited[0].checks.size(), 1U);
  EXPECT_EQ(audited[0].checks[0].result, outcome::pass) << audited[0].checks[0].evidence;
  EXPECT_THAT(audited[0].checks[0].evidence, HasSubstr("a, b: all work on declared streams"));
  auto f = measured_pair();
  add_audit(f, audited[0]);
  EXPECT_EQ(f.comparisons[0].assurance, 2);
  EXPECT_EQ(f.comparisons[0].verdict, model::verdict::better);
  ASSERT_EQ(f.measurements[1].kernels.size(), 2U);
  EXPECT_EQ(f.measurements[1].kernels[0].name, "scale");
}

TEST(gpu_audits, a_variant_that_leaves_work_behind_makes_its_comparison_invalid) {
  const auto audited = audit_in_child({family_of(two_variants)}, traced_by(second_is_late), {});
  ASSERT_EQ(audited.size(), 1U);
  auto f = measured_pair();
  add_audit(f, audited[0]);
  const auto failed = std::ranges::find(f.checks, outcome::fail, &model::check::result);
  ASSERT_NE(failed, f.checks.end());
  EXPECT_THAT(failed->evidence, HasSubstr("b: 1 of 3"));
  EXPECT_EQ(f.comparisons[0].verdict, model::verdict::invalid);
  EXPECT_EQ(f.comparisons[0].assurance, 0);
}

model::family measured_pair_in(double reference_s, double candidate_s) {
  auto f = measured_pair();
  f.measurements[0].metrics = {{.metric = {.name = "time"}, .median = reference_s}};
  f.measurements[1].metrics = {{.metric = {.name = "time"}, .median = candidate_s}};
  return f;
}

// The traced calls above work for 60 us.
TEST(gpu_audits, a_variant_that_works_longer_where_it_is_traced_makes_its_comparison_invalid) {
  const auto audited = audit_in_child({family_of(two_variants)}, traced_by(always_honest), {});
  auto f = measured_pair_in(60e-6, 20e-6);
  add_audit(f, audited.at(0));
  EXPECT_EQ(f.comparisons[0].verdict, model::verdict::invalid);
  ASSERT_FALSE(f.comparisons[0].checks.empty());
  EXPECT_THAT(f.comparisons[0].checks.back().evidence, HasSubstr("b works for 60"));
}

TEST(gpu_audits, traced_calls_may_take_longer_than_timed_ones_where_the_reference_does_too) {
  const auto audited = audit_in_child({family_of(two_variants)}, traced_by(always_honest), {});
  for (const auto& [reference_s, candidate_s] : {std::pair{60e-6, 40e-6}, {30e-6, 20e-6}}) {
    auto f = measured_pair_in(reference_s, candidate_s);
    add_audit(f, audited.at(0));
    EXPECT_EQ(f.comparisons[0].verdict, model::verdict::better);
  }
}

TEST(gpu_audits, a_variant_that_was_refused_is_not_traced) {
  run_options options;
  options.refused = {{"b", "did not end"}};
  const auto audited = audit_in_child({family_of(two_variants)}, traced_by(always_honest), options);
  EXPECT_FALSE(audited.at(0).measurements.at(0).kernels.empty());
  EXPECT_TRUE(audited.at(0).measurements.at(1).kernels.empty());
}

TEST(gpu_audits, without_a_tracer_the_check_is_skipped_and_the_assurance_is_1) {
  instruments with;
  with.open_traced_gpu = [] {
    return traced_gpu{std::make_unique<scripted_tracer>(always_honest, "no tracer: not here"), nullptr};
  };
  const auto audited = audit_in_child({family_of(two_variants), family_of(two_variants)}, with, {});
  ASSERT_EQ(audited.size(), 2U);
  for (const auto& one : audited) {
    auto f = measured_pair();
    add_audit(f, one);
    ASSERT_EQ(f.checks.size(), 1U);
    EXPECT_EQ(f.checks[0].result, outcome::skipped);
    EXPECT_EQ(f.checks[0].evidence, "no tracer: not here");
    EXPECT_EQ(f.comparisons[0].assurance, 1);
    EXPECT_EQ(f.comparisons[0].verdict, model::verdict::better);
  }
}

TEST(gpu_audits, a_build_without_a_tracer_says_so) {
  const auto audited = audit_in_child({family_of(two_variants)}, {}, {});
  ASSERT_EQ(audited.size(), 1U);
  EXPECT_EQ(audited[0].checks[0].evidence, "this build has no tracer of a GPU");
}

TEST(gpu_audits, records_dropped_skip_the_check) {
  const auto audited = audit_in_child({family_of(two_variants)}, traced_by([](std::size_t) {
                                        auto trace = tests::traced_call();
                                        trace.dropped = 2;
                                        return trace;
                                      }),
                                      {});
  ASSERT_EQ(audited[0].checks.size(), 2U);
  EXPECT_EQ(audited[0].checks[0].result, outcome::skipped);
  EXPECT_EQ(audited[0].checks[0].evidence, "a: 4 records dropped");
}

TEST(gpu_audits, a_fault_costs_one_family) {
  const auto audited =
      audit_in_child({family_of(two_variants), family_of(one_faults), family_of(two_variants)},
                     traced_by(always_honest), {});
  ASSERT_EQ(audited.size(), 3U);
  EXPECT_EQ(audited[0].checks[0].result, outcome::pass);
  EXPECT_EQ(audited[1].checks[0].result, outcome::skipped);
  EXPECT_THAT(audited[1].checks[0].evidence, HasSubstr("SIGSEGV"));
  EXPECT_EQ(audited[2].checks[0].result, outcome::pass);
}

TEST(gpu_audits, a_family_that_hangs_costs_its_own_audit_alone) {
  run_options options;
  options.stall_limit_s = 0.5;
  const auto audited =
      audit_in_child({family_of(two_variants), family_of(one_hangs), family_of(two_variants)},
                     traced_by(always_honest), options);
  ASSERT_EQ(audited.size(), 3U);
  EXPECT_EQ(audited[0].checks.at(0).result, outcome::pass);
  EXPECT_EQ(audited[1].checks.at(0).result, outcome::skipped);
  EXPECT_THAT(audited[1].checks.at(0).evidence, HasSubstr("did not end within 0.5 s"));
  EXPECT_EQ(audited[2].checks.at(0).result, outcome::pass);
}

TEST(gpu_audits, each_of_more_families_than_share_a_process_is_audited) {
  const std::vector<planned_family> families(6, family_of(two_variants));
  const auto with = traced_by(always_honest);
  const run_options options;
  gpu_audits audits(families, with, options);
  for (std::size_t i = 0; i < families.size(); ++i) {
    auto f = measured_pair();
    audits.add_to(i, f);
    ASSERT_EQ(f.checks.size(), 1U) << i;
    EXPECT_EQ(f.checks[0].result, outcome::pass);
  }
}

TEST(gpu_audits, a_run_asks_for_the_families_on_the_gpu_only) {
  auto on_cpu = family_of(two_variants);
  on_cpu.backend = model::backend::cpu;
  const std::vector<planned_family> families{on_cpu, family_of(two_variants)};
  const auto with = traced_by(always_honest);
  const run_options options;
  gpu_audits audits(families, with, options);
  auto cpu = measured_pair(), gpu = measured_pair();
  audits.add_to(0, cpu);
  audits.add_to(1, gpu);
  EXPECT_TRUE(cpu.checks.empty());
  ASSERT_EQ(gpu.checks.size(), 1U);
  EXPECT_EQ(gpu.checks[0].result, outcome::pass);
}

TEST(gpu_audits, a_run_that_is_ended_audits_no_more) {
  const std::vector<planned_family> families{family_of(two_variants)};
  const auto with = traced_by(always_honest);
  const run_options options;
  gpu_audits audits(families, with, options);
  auto f = measured_pair();
  audits.add_to(0, f, true);
  ASSERT_EQ(f.checks.size(), 1U);
  EXPECT_EQ(f.checks[0].result, outcome::skipped);
  EXPECT_EQ(f.comparisons[0].assurance, 1);
}

}  // namespace
}  // namespace ridge::harness
