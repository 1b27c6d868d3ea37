// SPDX-License-Identifier: Apache-2.0
// Where the classifier departs from the handbook's decision tree: docs/design/trace/rules.md tells why.
#include <gmock/gmock.h>

#include "finding_matchers.hpp"
#include "rule_case.hpp"

namespace ridge::trace {
namespace {

using fixtures::of_rule;
using fixtures::scene;
using ::testing::Contains;
using ::testing::Field;
using ::testing::IsEmpty;
using ::testing::Not;

struct metric {
  std::string_view name{};
  double value = 0;
};

constexpr std::string_view sm = "sm__throughput.avg.pct_of_peak_sustained_elapsed",
                           dram = "dram__throughput.avg.pct_of_peak_sustained_elapsed",
                           ffma = "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum",
                           theoretical = "sm__maximum_warps_per_active_cycle_pct";

// What the classifier says of one kernel of `ns` with these counters on Ridge One.
diagnosis diagnosis_of_metrics(const std::vector<metric>& metrics, double ns = 1e6) {
  scene s;
  auto& to = s.builder();
  const auto id = to.add(profiled_kernel{
      .name = s.name("a_kernel"), .device = s.name("Ridge One"), .grid = {1000, 1, 1}, .block = {256, 1, 1}});
  to.add(kernel_metric{
      .value = ns, .kernel = id, .metric = s.name("gpu__time_duration.sum"), .unit = s.name("ns")});
  for (const auto& m : metrics)
    to.add(kernel_metric{.value = m.value, .kernel = id, .metric = s.name(m.name), .unit = s.name("%")});
  diagnose_options options;
  options.devices = {fixtures::ridge_one()};
  return diagnose(fixtures::one(s), options);
}

// What it says of sixty calls of one operator, each a kernel of `length`.
diagnosis modelled(std::string_view name, std::string_view dims, std::string_view types, nanoseconds length) {
  scene s;
  s.device(fixtures::ridge_one_facts());
  for (int i = 0; i < 60; ++i) {
    s.op(name, i * 20'000, 15'000, {.input_dims = s.name(dims), .input_types = s.name(types)});
    s.kernel("some_kernel", 2'000'000 + i * length, length, 7,
             {.call_ns = i * 20'000 + 5'000, .call_length_ns = 5'000},
             {.grid = {1024, 1, 1}, .block = {256, 1, 1}});
  }
  diagnose_options options;
  options.devices = {fixtures::ridge_one()};
  return diagnose(fixtures::one(s), options);
}

// The tree asks first whether a kernel is compute-bound: SM 65 % would end it there, though memory is at 95
// %.
TEST(handbook, memory_is_asked_before_arithmetic) {
  const auto d = diagnosis_of_metrics({{sm, 65}, {dram, 95}, {ffma, 100}});
  EXPECT_THAT(d.findings, Contains(of_rule("K1")));
  EXPECT_THAT(d.findings, Not(Contains(of_rule("K2"))));
}

// Busy multiprocessors are not arithmetic: 97 % SM and 6 % of the peak is the load/store unit.
TEST(handbook, a_busy_multiprocessor_is_not_compute_bound) {
  const auto d = diagnosis_of_metrics({{sm, 97}, {dram, 1.3}, {ffma, 2.8e9}});
  EXPECT_THAT(d.findings, Contains(of_rule("K3")));
  EXPECT_THAT(d.findings, Not(Contains(of_rule("K2"))));
}

// ... and where nobody counted the arithmetic, that it is not cannot be known either.
TEST(handbook, a_busy_multiprocessor_without_counted_arithmetic_is_undecided) {
  const auto d = diagnosis_of_metrics({{sm, 97}, {dram, 1.3}});
  EXPECT_THAT(d.findings, Not(Contains(of_rule("K2"))));
  EXPECT_THAT(d.findings, Not(Contains(of_rule("K3"))));
  EXPECT_THAT(d.abstentions, Contains(Field(&abstention::rule, "K3")));
}

// The handbook's share of vector instructions has no time in it: the same count in four times the time is a
// quarter of the peak.
TEST(handbook, arithmetic_is_counted_by_the_second) {
  EXPECT_THAT(diagnosis_of_metrics({{sm, 90}, {dram, 5}, {ffma, 4e10}}, 1e6).findings,
              Contains(of_rule("K2")));
  EXPECT_THAT(diagnosis_of_metrics({{sm, 90}, {dram, 5}, {ffma, 4e10}}, 4e6).findings,
              Not(Contains(of_rule("K2"))));
}

// "Intensity below 10: memory-bound." A product of 64 rows has 63 FLOP/B; on a device whose ridge is at 1000
// memory bounds it all the same. 8192 x 8192 weights are 134 MB: 136 us at 1 TB/s.
TEST(handbook, the_ridge_is_the_devices_not_ten) {
  const auto d =
      modelled("aten::mm", "[[64, 8192], [8192, 8192]]", R"(["c10::BFloat16", "c10::BFloat16"])", 150'000);
  EXPECT_THAT(d.findings, Contains(of_rule("K1")));
  EXPECT_THAT(d.findings, Not(Contains(of_rule("K2"))));
}

// 137 GFLOP are 1.4 ms at 100 TFLOP/s: in 10 ms something else bounds the product, and another type would not
// help.
TEST(handbook, fp32_is_the_fault_of_products_that_their_arithmetic_bounds) {
  constexpr auto squares = "[[4096, 4096], [4096, 4096]]", two_fp32 = R"(["float", "float"])";
  EXPECT_THAT(modelled("aten::mm", squares, two_fp32, 2'000'000).findings, Contains(of_rule("K12")));
  EXPECT_THAT(modelled("aten::mm", squares, two_fp32, 10'000'000).findings, Not(Contains(of_rule("K12"))));
}

// Slow, exposed copies have one cause where they copy pageable memory.
TEST(handbook, copies_of_pageable_memory_are_told_of_once) {
  scene s;
  s.device(fixtures::ridge_one_facts());
  for (int i = 0; i < 60; ++i) {
    const nanoseconds at = 1'000'000 + i * 1'100'000;
    s.copy(copy_kind::host_to_device, 8 << 20, at, 1'000'000, 7,
           {.call_ns = i * 10'000, .call_length_ns = 4'000},
           {.source = memory_kind::pageable, .destination = memory_kind::device});
    s.kernel("gemm_kernel", at + 1'000'000, 100'000, 7,
             {.call_ns = i * 10'000 + 5'000, .call_length_ns = 4'000});
  }
  diagnose_options options;
  options.devices = {fixtures::ridge_one()};
  const auto d = diagnose(fixtures::one(s), options);
  EXPECT_THAT(d.findings, Contains(of_rule("C1")));
  EXPECT_THAT(d.findings, Not(Contains(of_rule("C2"))));
  EXPECT_THAT(d.findings, Not(Contains(of_rule("C4"))));
}

// Sixty kernels of 5 us, launched 20 us apart, and a last one. Repeated, the next round's launches are made
// while a long last one runs.
finding idle_before_a_long_kernel() {
  scene s;
  for (int i = 0; i < 60; ++i)
    s.kernel("small", i * 20'000 + 8'000, 5'000, 7, {.call_ns = i * 20'000, .call_length_ns = 4'000});
  s.kernel("last", 60 * 20'000 + 8'000, 3'000'000, 7, {.call_ns = 60 * 20'000, .call_length_ns = 4'000});
  for (const auto& f : diagnose(fixtures::one(s)).findings) {
    if (f.rule == "I1") return f;
  }
  return {};
}

TEST(handbook, idle_time_that_a_host_ahead_of_the_device_would_not_leave_is_a_note) {
  const auto idle = idle_before_a_long_kernel();
  EXPECT_EQ(idle.rule, "I1");
  EXPECT_FALSE(idle.alarm) << idle.text;
}

// Softmax is in the handbook's list of compute-bound operators. 2 x 268 MB: 537 us at 1 TB/s.
TEST(handbook, softmax_is_bound_by_memory) {
  const auto d =
      modelled("aten::_softmax", "[[8192, 8192], [], []]", R"(["float", "Scalar", "Scalar"])", 600'000);
  EXPECT_THAT(d.findings, Contains(of_rule("K1")));
  EXPECT_THAT(d.findings, Not(Contains(of_rule("K2"))));
}

// "Low occupancy? Reduce register pressure": a kernel at the ceiling of memory needs no more warps.
TEST(handbook, occupancy_is_asked_only_where_latency_is_the_limit) {
  EXPECT_THAT(diagnosis_of_metrics({{sm, 20}, {dram, 92}, {ffma, 100}, {theoretical, 25}}).findings,
              Not(Contains(of_rule("K7"))));
  EXPECT_THAT(diagnosis_of_metrics({{sm, 20}, {dram, 20}, {ffma, 100}, {theoretical, 25}}).findings,
              Contains(of_rule("K7")));
}

// "Not compute-bound? Memory-bound." A device that idles is neither, and a busy one that copies computes
// nothing.
TEST(handbook, time_outside_of_kernels_comes_before_kernels) {
  scene idle, copying;
  fixtures::busy(idle, 60, 10'000, 90'000);
  for (int i = 0; i < 60; ++i)
    copying
        .copy(copy_kind::host_to_device, 1 << 25, 1'000'000 + i * 1'000'000, 990'000, 7,
              {.call_ns = i * 5'000, .call_length_ns = 4'000}, {.source = memory_kind::pinned})
        .kernel("gemm_kernel", 1'990'000 + i * 1'000'000, 10'000, 7,
                {.call_ns = i * 5'000 + 4'000, .call_length_ns = 900});
  EXPECT_EQ(diagnose(fixtures::one(idle)).findings.at(0).rule, "I1");
  const auto d = diagnose(fixtures::one(copying));
  EXPECT_EQ(d.findings.at(0).rule, "C2");
  EXPECT_EQ(d.devices.at(0).partition.idle_ns, 0);
}

// The tree has no leaf for nothing to do.
TEST(handbook, a_good_kernel_is_left_alone) {
  const auto d = diagnosis_of_metrics({{sm, 20}, {dram, 93}, {ffma, 100}});
  EXPECT_EQ(d.verdict, overall_verdict::nothing_found);
  EXPECT_THAT(d.findings, Not(Contains(Field("alarm", &finding::alarm, true))));
}

}  // namespace
}  // namespace ridge::trace
