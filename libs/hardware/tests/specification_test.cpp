// SPDX-License-Identifier: Apache-2.0
#include <ridge/hardware/specification.hpp>

#include <gtest/gtest.h>

#include <ridge/hardware/hardware_catalogue.hpp>

namespace ridge::hardware {
namespace {

double of(const char* gpu, const char* ceiling) {
  const auto found = specified(*catalogue::embedded().gpu_named(gpu), ceiling);
  return found ? found->value : 0;
}

TEST(specification, gives_the_limits_of_an_h200_by_row) {
  EXPECT_DOUBLE_EQ(of("H200 SXM", "cuda.read"), 4.8e12);
  EXPECT_DOUBLE_EQ(of("H200 SXM", "cuda.copy"), 4.8e12);
  EXPECT_NEAR(of("H200 SXM", "cuda.fma.fp32"), 132.0 * 128 * 2 * 1.98e9, 1e9);
  EXPECT_NEAR(of("H200 SXM", "cuda.fma.fp64"), 33.45e12, 0.01e12);
  EXPECT_NEAR(of("H200 SXM", "cuda.mma.fp64"), 66.9e12, 0.02e12);
  EXPECT_NEAR(of("H200 SXM", "cuda.mma.fp8.zeros"), 1978.8e12, 0.2e12);
  EXPECT_NEAR(of("H200 SXM", "cuda.mma.fp8.sparse"), 3957.6e12, 0.4e12);
  EXPECT_DOUBLE_EQ(of("H200 SXM", "cuda.h2d.pinned"), 63e9);
  EXPECT_DOUBLE_EQ(of("H200 SXM", "cuda.bidirectional"), 126e9);
  EXPECT_DOUBLE_EQ(of("H200 SXM", "cuda.p2p.read"), 450e9);
  EXPECT_NEAR(of("H200 SXM", "cuda.shared.read"), 33.45e12, 0.01e12);
  EXPECT_DOUBLE_EQ(of("H200 SXM", "cuda.clock"), 1.98e9);
}

TEST(specification, gives_none_for_what_nobody_specifies) {
  EXPECT_EQ(of("H200 SXM", "cuda.l2.read"), 0);
  EXPECT_EQ(of("H200 SXM", "cuda.mma.fp4"), 0);
  EXPECT_EQ(of("H200 SXM", "cuda.fma"), 0);
  EXPECT_EQ(of("H200 SXM", "cuda"), 0);
  EXPECT_EQ(of("H200 SXM", "cpu.read"), 0);
  EXPECT_EQ(of("H200 SXM", ""), 0);
  EXPECT_EQ(of("A10G", "cuda.fma.fp32"), 0);
}

TEST(specification, goes_through_the_package_where_the_processor_is_in_it) {
  EXPECT_DOUBLE_EQ(of("GH200 96 GB", "cuda.d2h.pinned"), 450e9);
}

TEST(specification, says_at_which_clock_a_peak_is_stated) {
  const auto bf16 = specified(*catalogue::embedded().gpu_named("H200 SXM"), "cuda.mma.bf16");
  ASSERT_TRUE(bf16);
  EXPECT_DOUBLE_EQ(bf16->clock_hz, 1.83e9);
  EXPECT_EQ(bf16->unit, "FLOP/s");
  EXPECT_NE(catalogue::embedded().find_source(bf16->source), nullptr);
}

TEST(specification, scales_a_processor_with_what_of_it_is_used) {
  const auto& turin =
      *catalogue::embedded().find_processor("AuthenticAMD", "AMD EPYC 9655 96-Core Processor");
  EXPECT_DOUBLE_EQ(specified(turin, "cpu.triad", {})->value, 12 * 6.4e9 * 8);
  EXPECT_DOUBLE_EQ(specified(turin, "cpu.read", {.sockets = 2})->value, 2 * 12 * 6.4e9 * 8);
  EXPECT_DOUBLE_EQ(specified(turin, "cpu.fma.fp32", {.cores = 2, .clock_hz = 4e9})->value, 2 * 4e9 * 64);
  EXPECT_DOUBLE_EQ(specified(turin, "cpu.fma.fp64.avx2", {.clock_hz = 4e9})->value, 4e9 * 16);
  EXPECT_FALSE(specified(turin, "cpu.fma.fp32", {})) << "nothing without a clock";
  EXPECT_FALSE(specified(turin, "cpu.read.l1", {}));
  EXPECT_FALSE(specified(turin, "cpu.fma.fp16", {.clock_hz = 4e9}));
}

}  // namespace
}  // namespace ridge::hardware
