// SPDX-License-Identifier: Apache-2.0
#include <ridge/probe/roof_name.hpp>
#include <ridge/probe/roofline_charts.hpp>
#include <ridge/probe/roofline_verdict.hpp>
#include <ridge/probe/roofs.hpp>

#include <algorithm>

#include <gtest/gtest.h>

namespace ridge::probe {
namespace {

// 100 GB/s of DRAM, 400 of L2, 1 TFLOP/s in fp32 and 8 in bf16: ridges at 10, 80, 2.5 and 20 FLOP/byte.
model::peak simple_machine() {
  return {.ceilings = {{.id = "cuda.copy", .unit = "B/s", .value = 90e9, .size_bytes = 1e9},
                       {.id = "cuda.read", .unit = "B/s", .value = 100e9, .size_bytes = 1e9},
                       {.id = "cuda.l2.read", .unit = "B/s", .value = 400e9, .size_bytes = 10e6},
                       {.id = "cuda.fma.fp32", .unit = "FLOP/s", .value = 1e12},
                       {.id = "cuda.mma.bf16", .unit = "FLOP/s", .value = 8e12},
                       {.id = "cuda.latency.l2", .unit = "s", .value = 2e-7}}};
}

const specified_limit nothing = [](std::string_view, int) { return std::nullopt; };

std::vector<model::roof> simple_roofs() {
  return roofs_of(simple_machine(), model::backend::cuda, 0, nothing);
}

model::roofline_point point(double flop, double bytes, double seconds, const char* dtype = "fp32") {
  model::roofline_point p{.level = "DRAM",
                          .dtype = dtype,
                          .units = dtype == std::string("fp32") ? "vector" : "matrix",
                          .flop = flop,
                          .bytes = bytes,
                          .seconds = seconds};
  p.intensity = flop / bytes;
  p.flop_per_s = flop / seconds;
  p.bytes_per_s = bytes / seconds;
  return p;
}

TEST(roofline, reads_a_roof_out_of_the_id_of_its_ceiling) {
  EXPECT_EQ(roof_of("cuda.read")->level, "DRAM");
  EXPECT_EQ(roof_of("cuda.l2.read")->level, "L2");
  EXPECT_EQ(roof_of("cpu.copy.l1")->level, "L1");
  EXPECT_EQ(roof_of("cuda.shared.read")->level, "shared");
  EXPECT_EQ(roof_of("cuda.h2d.pinned")->level, "host");
  EXPECT_EQ(roof_of("cuda.mma.fp8")->units, "matrix");
  EXPECT_EQ(roof_of("cpu.fma.fp32")->dtype, "fp32");
  for (const auto* id :
       {"cpu.fma.fp32.avx2", "storage.read", "cpu.latency.l2", "cuda", "", "cuda.launch", "cpu.clock"})
    EXPECT_FALSE(roof_of(id)) << id;
}

TEST(roofline, orders_levels_from_the_core_outwards) {
  EXPECT_LT(rank_of_level("L1"), rank_of_level("L2"));
  EXPECT_LT(rank_of_level("L3"), rank_of_level("DRAM"));
  EXPECT_LT(rank_of_level("DRAM"), rank_of_level("host"));
  EXPECT_LT(rank_of_level("host"), rank_of_level("no such level"));
}

TEST(roofline, takes_the_lower_of_peak_and_bandwidth) {
  EXPECT_DOUBLE_EQ(attainable(1e12, 100e9, 2), 200e9);
  EXPECT_DOUBLE_EQ(attainable(1e12, 100e9, 10), 1e12);
  EXPECT_DOUBLE_EQ(attainable(1e12, 100e9, 1000), 1e12);
  EXPECT_DOUBLE_EQ(attainable(0, 100e9, 1000), 100e12) << "no peak is known";
  EXPECT_DOUBLE_EQ(attainable(1e12, 0, 0.1), 1e12) << "no bandwidth is known";
}

TEST(roofline, draws_the_best_row_of_each_level_and_type) {
  const auto roofs = simple_roofs();
  ASSERT_EQ(roofs.size(), 4u);
  EXPECT_EQ(roofs[0].id, "cuda.read");
  EXPECT_EQ(roofs[1].id, "cuda.l2.read");
  EXPECT_EQ(roofs[2].id, "cuda.fma.fp32");
  EXPECT_EQ(roofs[3].id, "cuda.mma.bf16");
  EXPECT_EQ(roofs[0].label, "DRAM read 100 GB/s");
  EXPECT_EQ(roofs[3].label, "bf16 matrix 8.00 TFLOP/s");
}

TEST(roofline, prefers_rows_of_as_many_threads) {
  const model::peak two{.ceilings = {{.id = "cpu.read", .unit = "B/s", .value = 10e9, .threads = 1},
                                     {.id = "cpu.triad", .unit = "B/s", .value = 40e9, .threads = 2},
                                     {.id = "cpu.read", .unit = "B/s", .value = 20e9, .threads = 2}}};
  EXPECT_DOUBLE_EQ(roofs_of(two, model::backend::cpu, 1, nothing).front().value, 10e9);
  EXPECT_DOUBLE_EQ(roofs_of(two, model::backend::cpu, 2, nothing).front().value, 40e9);
  EXPECT_TRUE(roofs_of(two, model::backend::cuda, 0, nothing).empty());
}

TEST(roofline, adds_what_is_specified_beside_and_instead) {
  const specified_limit stated = [](std::string_view id, int) -> std::optional<hardware::specification> {
    if (id == "cuda.read") return hardware::specification{125e9, "B/s", "s"};
    if (id == "cuda.mma.fp8") return hardware::specification{16e12, "FLOP/s", "s", 1.8e9};
    return std::nullopt;
  };
  const auto roofs = roofs_of(simple_machine(), model::backend::cuda, 0, stated);
  EXPECT_DOUBLE_EQ(roofs[0].specified, 125e9);
  EXPECT_EQ(roofs.back().id, "cuda.mma.fp8");
  EXPECT_EQ(roofs.back().origin, model::roof_origin::specified);
  EXPECT_DOUBLE_EQ(roofs.back().clock_hz, 1.8e9);
}

TEST(roofline, finds_where_limits_meet) {
  const auto ridges = ridges_of(simple_roofs());
  ASSERT_EQ(ridges.size(), 4u);
  EXPECT_DOUBLE_EQ(ridges[0].intensity, 10);
  EXPECT_DOUBLE_EQ(ridges[1].intensity, 80);
  EXPECT_DOUBLE_EQ(ridges[2].intensity, 2.5);
  EXPECT_DOUBLE_EQ(ridges[3].intensity, 20);
}

TEST(roofline, judges_a_kernel_under_the_bandwidth) {
  const auto v = judge(point(1e9, 1e9, 0.02), simple_roofs());  // 1 FLOP/B, 50 of 100 GFLOP/s
  EXPECT_EQ(v.bound, model::bound::memory);
  EXPECT_EQ(v.roof, "cuda.read");
  EXPECT_DOUBLE_EQ(v.attainable, 100e9);
  EXPECT_DOUBLE_EQ(v.share, 0.5);
  EXPECT_DOUBLE_EQ(v.headroom, 2);
  EXPECT_DOUBLE_EQ(v.ridge, 10);
  EXPECT_EQ(v.next, "L2 if its data stayed there: 4.0× more; fp32 vector from 10.0 FLOP/B: 10× more");
}

TEST(roofline, judges_a_kernel_under_a_peak) {
  const auto v = judge(point(100e9, 1e9, 0.125), simple_roofs());  // 100 FLOP/B, 800 of 1000 GFLOP/s
  EXPECT_EQ(v.bound, model::bound::compute);
  EXPECT_EQ(v.roof, "cuda.fma.fp32");
  EXPECT_DOUBLE_EQ(v.share, 0.8);
  EXPECT_EQ(v.next, "bf16 matrix: 8.0× more");
}

TEST(roofline, lets_the_higher_peak_be_limited_by_bandwidth) {
  const auto v = judge(point(40e9, 1e9, 0.05), simple_roofs());  // at 40 FLOP/B bf16 reaches 4 TFLOP/s
  EXPECT_EQ(v.next, "bf16 matrix: 4.0× more");
  const auto matrix = judge(point(400e9, 1e9, 0.05, "bf16"), simple_roofs());
  EXPECT_EQ(matrix.roof, "cuda.mma.bf16");
  EXPECT_EQ(matrix.next, "none above");
}

TEST(roofline, compares_a_kernel_without_operations_with_the_bandwidth) {
  const auto v = judge(point(0, 1e9, 0.0125), simple_roofs());  // 80 GB/s
  EXPECT_EQ(v.bound, model::bound::memory);
  EXPECT_DOUBLE_EQ(v.attainable, 100e9);
  EXPECT_DOUBLE_EQ(v.share, 0.8);
}

TEST(roofline, says_latency_where_no_rate_holds_a_kernel_up) {
  const auto v = judge(point(1e9, 1e9, 1), simple_roofs());
  EXPECT_EQ(v.bound, model::bound::latency);
  EXPECT_EQ(v.roof, "cuda.read");
}

TEST(roofline, judges_nothing_without_a_roof) {
  auto p = point(1e9, 1e9, 1, "fp64");
  p.level = "cache";
  EXPECT_EQ(judge(p, simple_roofs()).bound, model::bound::unknown);
  EXPECT_TRUE(judge(p, {}).roof.empty());
}

model::measurement timed(const char* variant, double seconds, double flop, double bytes, double array_bytes) {
  model::measurement m{
      .variant = variant, .backend = model::backend::cuda, .flop = flop, .bytes_moved = bytes};
  m.metrics.push_back({.median = seconds, .ci = {0.9 * seconds, 1.1 * seconds}});
  m.memory.reserved_bytes = array_bytes;
  return m;
}

model::run simple_run() {
  model::run run{.id = "R", .peak = simple_machine()};
  model::family f{
      .experiment = "ch01.x", .backend = model::backend::cuda, .problem = {{"n", std::int64_t{8}}}};
  f.measurements = {timed("far", 0.03, 1e9, 1e9, 1e9), timed("near", 0.01, 1e9, 1e9, 1e6)};
  f.measurements.push_back(timed("wrong", 1, 1e9, 1e9, 1e9));
  f.measurements.back().refused = "differs";
  run.families.push_back(f);
  return run;
}

TEST(roofline, charts_the_kernels_of_a_run) {
  const auto all = roofline_of(simple_run(), hardware::catalogue::embedded());
  ASSERT_EQ(all.charts.size(), 1u);
  const auto& points = all.charts[0].points;
  ASSERT_EQ(points.size(), 2u) << "a refused variant has no place";
  EXPECT_EQ(points[0].kernel, "ch01.x n=8: far");
  EXPECT_EQ(points[0].level, "DRAM");
  EXPECT_EQ(points[1].level, "L2") << "a megabyte stays in the L2";
  EXPECT_DOUBLE_EQ(points[0].time_share, 0.75);
  EXPECT_NEAR(points[0].flop_per_s_ci.lo, 1e9 / 0.033, 1);
  EXPECT_FALSE(points[0].measured_intensity);
}

TEST(roofline, places_a_kernel_by_counted_bytes_too) {
  auto run = simple_run();
  run.families[0].measurements[0].counters = {{"dram_read_bytes", 3e9}, {"dram_write_bytes", 1e9}};
  const auto all = roofline_of(run, hardware::catalogue::embedded());
  const auto& p = all.charts[0].points[0];
  EXPECT_DOUBLE_EQ(*p.measured_bytes, 4e9);
  EXPECT_DOUBLE_EQ(*p.measured_intensity, 0.25);
}

TEST(roofline, takes_the_type_from_the_ceiling_of_the_run_or_an_axis) {
  auto run = simple_run();
  run.families[0].measurements[0].ceiling = "cuda.mma.bf16";
  run.families[0].problem.emplace_back("dtype", std::string("fp16"));
  const auto all = roofline_of(run, hardware::catalogue::embedded());
  EXPECT_EQ(all.charts[0].points[0].dtype, "bf16");
  EXPECT_EQ(all.charts[0].points[1].dtype, "fp16");
  EXPECT_EQ(all.charts[0].points[1].units, "matrix");
}

TEST(roofline, chooses_kernels_and_roofs_as_it_is_told) {
  const auto all = roofline_of(simple_run(), hardware::catalogue::embedded(),
                               {.only = "*near", .dtypes = {"BF16"}, .levels = {"l2"}});
  ASSERT_EQ(all.charts[0].points.size(), 1u);
  for (const auto& r : all.charts[0].roofs)
    EXPECT_EQ(r.shown, r.id == "cuda.l2.read" || r.id == "cuda.mma.bf16") << r.id;
}

TEST(roofline, draws_six_roofs_at_most_and_memory_always) {
  auto run = simple_run();
  for (const auto* id : {"cuda.mma.fp8", "cuda.mma.tf32", "cuda.mma.fp16", "cuda.mma.int8", "cuda.fma.fp64"})
    run.peak.ceilings.push_back({.id = id, .unit = "FLOP/s", .value = 4e12});
  const auto all = roofline_of(run, hardware::catalogue::embedded());
  EXPECT_EQ(std::ranges::count_if(all.charts[0].roofs, &model::roof::shown), 6);
  EXPECT_TRUE(all.charts[0].roofs.front().shown);
}

TEST(roofline, shows_the_roofs_alone_without_kernels) {
  const model::run bare{.peak = simple_machine()};
  const auto all = roofline_of(bare, hardware::catalogue::embedded());
  ASSERT_EQ(all.charts.size(), 1u);
  EXPECT_TRUE(all.charts[0].points.empty());
  EXPECT_EQ(all.charts[0].ridges.size(), 4u);
  EXPECT_TRUE(roofline_of({}, hardware::catalogue::embedded()).charts.empty());
}

}  // namespace
}  // namespace ridge::probe
