// SPDX-License-Identifier: Apache-2.0
#include <ridge/harness/ceilings.hpp>

#include <gtest/gtest.h>

namespace ridge::harness {
namespace {

// 100 GFLOP/s, and 10 GB/s beyond arrays of 64 MiB: a ridge of 10 FLOP/byte.
model::peak machine() {
  return {.ceilings = {{.id = "cpu.fma.fp32", .value = 100e9, .threads = 1},
                       {.id = "cpu.fma.fp32", .value = 180e9, .threads = 2},
                       {.id = "cpu.triad", .value = 10e9, .threads = 1, .size_bytes = 64 << 20}}};
}

ceiling_limit limit(double flop, double bytes, int threads = 1, double arrays = 128 << 20,
                    arithmetic type = arithmetic::fp32) {
  static const auto peak = machine();
  return limit_of(peak, model::backend::cpu, flop, bytes, threads, arrays, {type});
}

TEST(limit_of, is_the_ceiling_with_the_longer_least_time) {
  EXPECT_EQ(limit(9e9, 1e9).ceiling->id, "cpu.triad");
  EXPECT_EQ(limit(9e9, 1e9).bound, model::bound::memory);
  EXPECT_EQ(limit(11e9, 1e9).ceiling->id, "cpu.fma.fp32");
  EXPECT_EQ(limit(11e9, 1e9).bound, model::bound::compute);
}

TEST(limit_of, takes_the_row_of_as_many_threads_else_any) {
  EXPECT_EQ(limit(11e9, 0, 2).label(), "cpu.fma.fp32, 2 threads");
  EXPECT_EQ(limit(0, 1e9, 2).label(), "cpu.triad, 1 thread");
}

TEST(limit_of, leaves_out_bandwidth_for_arrays_that_may_live_in_the_caches) {
  EXPECT_EQ(limit(1, 1e9, 1, 4 << 20).ceiling->id, "cpu.fma.fp32");
  EXPECT_EQ(limit(0, 1e9, 1, 4 << 20).ceiling, nullptr);
}

TEST(limit_of, knows_no_ceiling_for_a_type_that_was_not_measured) {
  EXPECT_EQ(limit(11e9, 0, 1, 128 << 20, arithmetic::bf16).ceiling, nullptr);
  EXPECT_EQ(limit(11e9, 0, 1, 128 << 20, arithmetic::bf16).label(), "");
}

// 60 TFLOP/s in fp32, 900 on matrix units in bf16, 4 TB/s beyond arrays of 100 MB.
model::peak gpu_peak() {
  return {.ceilings = {{.id = "cuda.fma.fp32", .value = 60e12},
                       {.id = "cuda.mma.bf16", .value = 900e12},
                       {.id = "cuda.mma.tf32", .value = 450e12},
                       {.id = "cuda.mma.fp8", .value = 1800e12},
                       {.id = "cuda.copy", .value = 4e12, .size_bytes = 800e6},
                       {.id = "cpu.fma.fp32", .value = 1e12}}};
}

std::string gpu_limit(arithmetic type, double flop = 1e12, double bytes = 1e9) {
  static const auto peak = gpu_peak();
  const model::measurement m{.backend = model::backend::cuda, .flop = flop, .bytes_moved = bytes};
  return limit_of(peak, m, 1e9, {type}).label();
}

TEST(limit_of, stands_on_a_gpus_matrix_units_for_the_types_they_multiply) {
  EXPECT_EQ(gpu_limit(arithmetic::tf32), "cuda.mma.tf32");
  EXPECT_EQ(gpu_limit(arithmetic::bf16), "cuda.mma.bf16");
  EXPECT_EQ(gpu_limit(arithmetic::fp8), "cuda.mma.fp8");
  EXPECT_EQ(gpu_limit(arithmetic::fp32), "cuda.fma.fp32");
}

// 5 GB take 1.25 ms; 1 TFLOP takes 16 ms in fp32, 1.1 in bf16.
TEST(limit_of, narrows_the_type_until_memory_is_the_limit) {
  EXPECT_EQ(gpu_limit(arithmetic::fp32, 1e12, 5e9), "cuda.fma.fp32");
  EXPECT_EQ(gpu_limit(arithmetic::bf16, 1e12, 5e9), "cuda.copy");
}

TEST(limit_of, counts_each_product_that_stands_for_one_of_the_definition) {
  static const auto peak = gpu_peak();
  const model::measurement m{.backend = model::backend::cuda, .flop = 1e12, .bytes_moved = 1e9};
  const auto six = limit_of(peak, m, 1e9, {arithmetic::bf16, 6});
  EXPECT_EQ(six.label(), "cuda.mma.bf16");
  EXPECT_NEAR(six.share(10e-3, 900e12), 6e12 / 900e12 / 10e-3, 1e-9);
}

TEST(limit_of, never_takes_another_types_unit) {
  EXPECT_EQ(gpu_limit(arithmetic::fp16, 1e12, 0), "");
  EXPECT_EQ(gpu_limit(arithmetic::fp64, 1e12, 0), "");
}

TEST(ceiling_limit, share_is_of_the_rate_given) {
  const auto half = limit(50e9, 0);
  EXPECT_DOUBLE_EQ(half.share(1, half.ceiling->value), 0.5);
  EXPECT_DOUBLE_EQ(half.share(1, 60e9), 50.0 / 60);
  EXPECT_EQ(half.share(0, 60e9), 0);
  EXPECT_EQ(ceiling_limit{}.share(1, 60e9), 0);
}

}  // namespace
}  // namespace ridge::harness
