// SPDX-License-Identifier: Apache-2.0
#include <ridge/trace/counters.hpp>

#include <algorithm>

#include <gtest/gtest.h>

#include <fixtures/scene.hpp>
#include <ridge/trace/kernel_verdict.hpp>
#include <ridge/trace/metric_unit.hpp>

namespace ridge::trace {
namespace {

using fixtures::scene;

struct profile {
  scene s{};
  std::uint32_t kernel(std::string_view name, std::uint32_t blocks = 1000, std::uint32_t threads = 256) {
    return s.builder().add(
        profiled_kernel{.name = s.name(name), .grid = {blocks, 1, 1}, .block = {threads, 1, 1}});
  }
  profile& metric(std::string_view name, double value, std::string_view unit = "%",
                  std::uint32_t kernel = 0) {
    s.builder().add(
        kernel_metric{.value = value, .kernel = kernel, .metric = s.name(name), .unit = s.name(unit)});
    return *this;
  }
  kernel_counters one(const device_peaks& peaks = {}) { return counters_of(s.build(), peaks).at(0); }
};

TEST(counter_units, are_brought_to_their_base) {
  const auto is = [](std::string_view unit, std::string_view base, double factor) {
    EXPECT_EQ(unit_of(unit).base, base) << unit;
    EXPECT_EQ(unit_of(unit).factor, factor) << unit;
  };
  is("byte", "byte", 1);
  is("Kbyte", "byte", 1e3);
  is("Gbyte/s", "byte/s", 1e9);
  is("Tbyte/second", "byte/s", 1e12);
  is("us", "ns", 1e3);
  is("msecond", "ns", 1e6);
  is("cycle/nsecond", "Hz", 1e9);
  is("Ghz", "Hz", 1e9);
  is("Kbyte/block", "byte/block", 1e3);
  is("%", "%", 1);
  is("Kernel", "Kernel", 1);
  is("", "", 1);
}

TEST(counters, are_shares_of_one_and_seconds) {
  profile p;
  p.kernel("k");
  p.metric("gpu__time_duration.sum", 2, "msecond").metric("dram__bytes_read.sum", 3, "Gbyte");
  p.metric("dram__bytes_write.sum", 1, "Gbyte")
      .metric("sm__throughput.avg.pct_of_peak_sustained_elapsed", 50);
  p.metric("l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", 320, "sector");
  p.metric("l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", 10, "");
  const auto c = p.one({.bytes_per_s = 4e12});
  EXPECT_DOUBLE_EQ(*c.duration_s, 0.002);
  EXPECT_DOUBLE_EQ(*c.dram_bytes_per_s(), 2e12);
  EXPECT_DOUBLE_EQ(*c.dram, 0.5);  // of the peak given
  EXPECT_DOUBLE_EQ(*c.sm, 0.5);
  EXPECT_DOUBLE_EQ(*c.load_sectors_per_request, 32);
  EXPECT_FALSE(c.store_sectors_per_request);
  EXPECT_FALSE(c.l2);
  EXPECT_EQ(c.blocks, 1000);
}

TEST(counters, labels_of_tables_serve_as_names_and_rates_are_no_shares) {
  profile p;
  p.kernel("k");
  p.metric("Memory Throughput", 2.5, "Tbyte/second").metric("Memory Throughput", 61.5);
  p.metric("Duration", 3.2, "us")
      .metric("Achieved Occupancy", 43)
      .metric("Block Limit Registers", 3, "block");
  p.metric("Block Limit Warps", 8, "block").metric("Theoretical Occupancy", 75);
  const auto c = p.one();
  EXPECT_DOUBLE_EQ(*c.memory, 0.615);
  EXPECT_DOUBLE_EQ(*c.duration_s, 3.2e-6);
  EXPECT_DOUBLE_EQ(*c.occupancy, 0.43);
  ASSERT_EQ(c.occupancy_limits.size(), 2U);
  EXPECT_EQ(c.occupancy_limits[0].name, "registers");
}

TEST(counters, arithmetic_and_stalls_are_derived) {
  profile p;
  p.kernel("k");
  p.metric("smsp__sass_thread_inst_executed_op_ffma_pred_on.sum", 300, "inst");
  p.metric("smsp__sass_thread_inst_executed_op_fadd_pred_on.sum", 60, "inst");
  p.metric("smsp__sass_thread_inst_executed_op_fmul_pred_on.sum", 40, "inst");
  p.metric("smsp__average_warps_issue_stalled_long_scoreboard_per_issue_active.ratio", 6, "inst");
  p.metric("smsp__average_warps_issue_stalled_barrier_per_issue_active.ratio", 2, "inst");
  p.metric("smsp__average_warps_issue_stalled_selected_per_issue_active.ratio", 1, "inst");
  const auto c = p.one();
  EXPECT_EQ(c.fp32_flops, 700);
  EXPECT_DOUBLE_EQ(*c.fused_share, 0.75);
  ASSERT_EQ(c.stalls.size(), 2U);
  EXPECT_EQ(c.stalls[0].name, "long_scoreboard");
  EXPECT_DOUBLE_EQ(c.stalls[0].share, 0.75);
}

TEST(counters, the_nth_profiled_launch_is_the_nth_on_the_timeline) {
  profile p;
  device_work shape{.grid = {4, 1, 1}, .block = {64, 1, 1}};
  p.s.kernel("k", 300, 10, 7, {}, shape).kernel("k", 100, 10, 7, {}, shape);
  shape.grid = {5, 1, 1};
  p.s.kernel("k", 200, 10, 7, {}, shape);
  for (const auto blocks : {4U, 5U, 4U, 4U}) (void)p.kernel("k", blocks, 64);
  const auto t = p.s.build();
  const auto all = counters_of(t);
  EXPECT_EQ(t.works[all[0].work].start_ns, 100);
  EXPECT_EQ(t.works[all[1].work].start_ns, 200);
  EXPECT_EQ(t.works[all[2].work].start_ns, 300);
  EXPECT_EQ(all[3].work, none);
}

TEST(counters, samples_stand_for_the_time_before_them) {
  scene s;
  s.kernel("long", 100, 100).kernel("short", 230, 10);
  auto& b = s.builder();
  const auto here = b.series(b.intern("DRAM read"), 0), there = b.series(b.intern("DRAM read"), 1);
  for (int i = 0; i <= 6; ++i) b.add(counter_value{.time_ns = i * 50, .value = 10.0 * i, .series = here});
  b.add(counter_value{.time_ns = 150, .value = 99, .series = there});
  const auto t = s.build();
  const auto during = counters_during(t, t.works[0]);
  ASSERT_EQ(during.size(), 1U);
  EXPECT_EQ(during[0].samples, 2U);  // at 150 and 200, not that at its start
  EXPECT_EQ(during[0].mean, 35);
  EXPECT_EQ(during[0].most, 40);
  const auto between = counters_during(t, t.works[1]);
  ASSERT_EQ(between.size(), 1U);
  EXPECT_EQ(between[0].mean, 50);  // the sample at 250 covers it
}

kernel_verdict judged(std::optional<double> f, std::optional<double> d, std::optional<double> s,
                      std::optional<double> l, double waves = 20) {
  kernel_counters c;
  c.flops = f;
  c.dram = d;
  c.l1 = s;
  c.l2 = l;
  c.waves = waves;
  c.sm = 0.2;
  c.stalls = {{"long_scoreboard", 5, 0.6}, {"wait", 3, 0.4}};
  return verdict_of(c);
}

TEST(counter_verdict, follows_the_order_of_limits) {
  EXPECT_EQ(judged(0.1, 0.85, 0.9, 0.5).limit, kernel_limit::dram);
  EXPECT_FALSE(judged(0.1, 0.85, 0.9, 0.5).at_ceiling);
  EXPECT_TRUE(judged(0.1, 0.92, 0.3, 0.5).at_ceiling);
  EXPECT_EQ(judged(0.75, 0.3, 0.8, 0.2).limit, kernel_limit::compute);
  EXPECT_EQ(judged(0.68, 0.65, 0.3, 0.2).limit, kernel_limit::balanced);
  EXPECT_EQ(judged(0.2, 0.3, 0.7, 0.65).limit, kernel_limit::on_chip);
  EXPECT_EQ(judged(0.2, 0.3, 0.5, 0.65).limit, kernel_limit::l2);
  EXPECT_EQ(judged(0.2, 0.7, 0.3, 0.2).limit, kernel_limit::dram);
  EXPECT_EQ(judged(0.2, 0.3, 0.3, 0.2, 0.4).limit, kernel_limit::small_grid);
  EXPECT_EQ(judged(0.2, 0.3, 0.3, 0.2, 2.1).limit, kernel_limit::tail);  // 0.9 of a wave is empty
  EXPECT_EQ(judged(0.2, 0.3, 0.3, 0.2, 2.9).limit, kernel_limit::latency);
  EXPECT_EQ(judged(0.2, 0.3, 0.3, 0.2).top_stall, "long_scoreboard");
  EXPECT_EQ(judged(0.2, 0.3, 0.3, 0.2).grade, evidence_grade::counters);
}

TEST(counter_verdict, without_memorys_share_nothing_is_said_of_latency) {
  const auto v = judged(0.1, std::nullopt, 0.2, std::nullopt);
  EXPECT_EQ(v.limit, kernel_limit::unknown);
  EXPECT_EQ(v.grade, evidence_grade::ungraded);
  EXPECT_EQ(v.missing.at(0), "dram__throughput.avg.pct_of_peak_sustained_elapsed");
}

// A well-made product keeps the multiprocessors busy with arithmetic; their throughput alone would call it
// on-chip.
TEST(counter_verdict, busy_multiprocessors_explained_by_arithmetic_are_not_on_chip) {
  kernel_counters c;
  c.sm = 0.68;
  c.dram = 0.1;
  c.tensor = 0.66;
  EXPECT_EQ(verdict_of(c).limit, kernel_limit::compute);
  c.tensor = 0.1;
  EXPECT_EQ(verdict_of(c).limit, kernel_limit::on_chip);
}

bool shows(const kernel_verdict& v, kernel_symptom symptom) {
  return std::ranges::find(v.symptoms, symptom, &symptom::kind) != v.symptoms.end();
}

TEST(counter_verdict, symptoms_have_thresholds) {
  kernel_counters c;
  c.dram = 0.45;
  c.sm = 0.2;
  c.l2_hit = 0.3;
  c.active_threads = 23.9;
  c.bank_conflict_share = 0.1;
  c.store_sectors_per_request = 24;
  c.fused_share = 0.8;
  c.threads_per_block = 100;
  c.occupancy_theoretical = 0.75;
  c.occupancy = 0.64;
  c.sm_imbalance = 1.2;
  c.duration_s = 1e-3;
  const auto v = verdict_of(c, {.timeline_s = 0.4e-3});
  EXPECT_TRUE(shows(v, kernel_symptom::divergence));
  EXPECT_TRUE(shows(v, kernel_symptom::bank_conflicts));
  EXPECT_FALSE(shows(v, kernel_symptom::uncoalesced));  // 24 is 1.5 times what the widest accesses need
  EXPECT_FALSE(shows(v, kernel_symptom::unfused_math));
  EXPECT_TRUE(shows(v, kernel_symptom::odd_block));
  EXPECT_TRUE(shows(v, kernel_symptom::low_occupancy));
  EXPECT_TRUE(shows(v, kernel_symptom::uneven_occupancy));
  EXPECT_FALSE(shows(v, kernel_symptom::imbalance));
  EXPECT_TRUE(shows(v, kernel_symptom::poor_l2_locality));
  EXPECT_TRUE(shows(v, kernel_symptom::wrong_regime));
}

}  // namespace
}  // namespace ridge::trace
