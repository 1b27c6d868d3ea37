// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <ridge/trace/contention.hpp>

#include "fixtures/scene.hpp"

namespace ridge::trace {
namespace {

contention_report contention(const trace& t, std::uint64_t least = 3) {
  return contention_of(t, 0, classes_of(t, communication_names::built_in()), least);
}

TEST(contention, compares_runs_beside_communication_with_runs_alone) {
  fixtures::scene s;
  s.kernel("ncclAllReduce", 0, 1'000, 9);
  for (int k = 0; k < 3; ++k) s.kernel("gemm", 300 * k, 150 + 10 * k);          // 150, 160, 170 beside
  for (int k = 0; k < 4; ++k) s.kernel("gemm", 2'000 + 300 * k, 100 + 10 * k);  // 100, 110, 120, 130 alone
  s.kernel("gemm", 950, 200);  // communication covers a quarter: neither
  const auto r = contention(s.build());
  ASSERT_EQ(r.kernels.size(), 1U);
  const auto& k = r.kernels[0];
  EXPECT_EQ(k.beside, 3U);
  EXPECT_EQ(k.alone, 4U);
  EXPECT_EQ(k.beside_median_ns, 160);
  EXPECT_EQ(k.alone_median_ns, 110);
  EXPECT_EQ(k.excess_ns, 480 - 330);
  EXPECT_DOUBLE_EQ(*r.slowdown(), 480.0 / 330);
}

TEST(contention, other_shapes_of_a_kernel_are_other_kernels) {
  fixtures::scene s;
  s.kernel("ncclAllReduce", 0, 1'000, 9);
  for (int k = 0; k < 3; ++k) s.kernel("gemm", 300 * k, 150, 7, {}, {.grid = {8, 1, 1}});
  for (int k = 0; k < 3; ++k) s.kernel("gemm", 2'000 + 300 * k, 50, 7, {}, {.grid = {2, 1, 1}});
  const auto r = contention(s.build());
  EXPECT_TRUE(r.kernels.empty());
  EXPECT_FALSE(r.slowdown());
}

TEST(contention, few_runs_say_nothing) {
  fixtures::scene s;
  s.kernel("ncclAllReduce", 0, 400, 9).kernel("gemm", 0, 150).kernel("gemm", 200, 150);
  s.kernel("gemm", 2'000, 100).kernel("gemm", 3'000, 100);
  const auto t = s.build();
  EXPECT_FALSE(contention(t).slowdown());
  EXPECT_DOUBLE_EQ(*contention(t, 2).slowdown(), 1.5);
}

}  // namespace
}  // namespace ridge::trace
