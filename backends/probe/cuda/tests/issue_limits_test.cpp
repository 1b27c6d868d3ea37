// SPDX-License-Identifier: Apache-2.0
#include "timing/issue_limits.hpp"

#include <array>
#include <string>

#include <gtest/gtest.h>

#include "arithmetic/chains.hpp"
#include "matrix_units/matrix_units.hpp"
#include "timing/burst_rate.hpp"
#include "timing/span_log.hpp"

namespace ridge::backends::probe_cuda {
namespace {

// NVIDIA states for the H100 SXM of 132 multiprocessors: at 1.83 GHz 989 TFLOP/s in bf16, 1979 in fp8, 494 in
// tf32; at 1.98 GHz 67 in fp32 and on fp64 matrix units, 33.5 in fp64.
TEST(operations_per_clock, gives_what_the_vendor_states_of_an_h100) {
  const auto tera = [](std::string_view kind, double gigahertz) {
    return operations_per_clock(kind, 9, 0) * 132 * gigahertz * 1e-3;
  };
  EXPECT_NEAR(tera("mma.bf16", 1.83), 989, 1);
  EXPECT_NEAR(tera("mma.fp8", 1.83), 1979, 1);
  EXPECT_NEAR(tera("mma.tf32", 1.83), 494.7, 1);
  EXPECT_NEAR(tera("fma.fp32", 1.98), 66.9, 0.1);
  EXPECT_NEAR(tera("mma.fp64", 1.98), 66.9, 0.1);
  EXPECT_NEAR(tera("fma.fp64", 1.98), 33.5, 0.1);
}

TEST(operations_per_clock, is_silent_where_it_does_not_know) {
  EXPECT_EQ(operations_per_clock("mma.bf16", 10, 0), 0);
  EXPECT_EQ(operations_per_clock("fma.fp64", 8, 6), 0);
  EXPECT_EQ(operations_per_clock("mma.fp8", 8, 0), 0);
  EXPECT_EQ(operations_per_clock("nothing", 9, 0), 0);
}

TEST(operations_per_clock, knows_every_kind_that_a_probe_names) {
  for (const auto& work : chain_works) {
    if (work.limited_by.empty()) continue;
    EXPECT_GT(operations_per_clock(work.limited_by, 9, 0), 0) << work.id;
  }
  for (const auto type : operands)
    EXPECT_GT(operations_per_clock("mma." + std::string(name(type)), 9, 0), 0) << name(type);
}

TEST(limit_issue, multiplies_by_processors_and_the_clock_of_the_row) {
  cudaDeviceProp gpu{};
  gpu.major = 9;
  gpu.multiProcessorCount = 10;
  model::ceiling row{.clock_hz = 1e9};
  limit_issue(row, "fma.fp32", gpu);
  EXPECT_DOUBLE_EQ(row.issue_limit, 2.56e12);
  row.clock_hz = 0;
  limit_issue(row, "fma.fp32", gpu);
  EXPECT_EQ(row.issue_limit, 0);
}

TEST(median_clock, leaves_out_blocks_that_never_were_and_spans_that_are_too_short) {
  const std::array spans{block_span{}, block_span{2'000'000, 1'000'000}, block_span{1'500'000, 1'000'000},
                         block_span{9'000, 1'000}, block_span{1'800'000, 1'000'000}};
  EXPECT_DOUBLE_EQ(median_clock(spans, 32), 1.8e9);
  EXPECT_EQ(median_clock(spans, 1'000'000), 0);
  EXPECT_EQ(median_clock({}, 1), 0);
}

// A multiprocessor's oldest blocks end after a part of the burst, in which the clock still rises.
TEST(median_clock, is_that_of_blocks_that_worked_to_the_end) {
  const std::array spans{block_span{850'000, 500'000},     block_span{850'000, 500'000},
                         block_span{900'000, 520'000},     block_span{3'900'000, 2'000'000},
                         block_span{3'800'000, 1'950'000}, block_span{3'880'000, 1'990'000}};
  EXPECT_DOUBLE_EQ(median_clock(spans, 32), 3'880'000 / 1.99e-3);
}

TEST(as_latency, turns_a_rate_into_the_time_of_one_and_its_interval_around) {
  const auto row = as_latency(
      {.unit = "op/s", .value = 1e8, .ci = {0.8e8, 1.25e8}, .clock_hz = 2e9, .series = {{"4", 5e7}}});
  EXPECT_EQ(row.unit, "s");
  EXPECT_DOUBLE_EQ(row.value, 1e-8);
  EXPECT_DOUBLE_EQ(row.ci.lo, 0.8e-8);
  EXPECT_DOUBLE_EQ(row.ci.hi, 1.25e-8);
  EXPECT_DOUBLE_EQ(row.series.front().value, 2e-8);
  EXPECT_EQ(row.note, "20.0 cycles");
}

}  // namespace
}  // namespace ridge::backends::probe_cuda
