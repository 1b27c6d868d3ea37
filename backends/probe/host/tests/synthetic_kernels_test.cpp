// SPDX-License-Identifier: Apache-2.0
#include "synthetic/synthetic_kernels.hpp"

#include <vector>

#include <gtest/gtest.h>

#include <ridge/host/isa.hpp>
#include <ridge/host/pages.hpp>

namespace ridge::backends::probe_host {
namespace {

void expect_right(std::span<const synthetic_kernel> kernels) {
  const host::region memory(4 * synthetic_block * sizeof(float));
  const auto x = memory.as<float>();
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = 0.5f + 0.001f * static_cast<float>(i % 997);
  ASSERT_FALSE(kernels.empty());
  for (const auto& k : kernels) {
    synthetic_result found;
    k.run(x.data(), x.size(), 1, found);
    EXPECT_TRUE(is_right(k, x, found)) << k.fma_per_element;
    EXPECT_FALSE(is_right(k, x.first(x.size() - 1), found)) << k.fma_per_element;
  }
}

TEST(synthetic_kernels, do_exactly_the_multiply_adds_they_say_with_avx512) {
  if (!host::has_isa("avx512f")) GTEST_SKIP() << "no AVX-512 here";
  expect_right(synthetic_kernels_avx512(from::cache));
  expect_right(synthetic_kernels_avx512(from::memory));
}

TEST(synthetic_kernels, do_exactly_the_multiply_adds_they_say_with_avx2) {
  if (!host::has_isa("avx2") || !host::has_isa("fma")) GTEST_SKIP() << "no AVX2 here";
  expect_right(synthetic_kernels_avx2(from::cache));
  expect_right(synthetic_kernels_avx2(from::memory));
}

TEST(synthetic_kernels, read_all_elements_in_every_round) {
  const auto kernels = synthetic_kernels(from::cache);
  if (kernels.empty()) GTEST_SKIP() << "no kernels for this CPU";
  const host::region memory(synthetic_block * sizeof(float));
  const auto x = memory.as<float>();
  for (float& one : x) one = 1;
  synthetic_result once, twice;
  kernels[1].run(x.data(), x.size(), 1, once);
  kernels[1].run(x.data(), x.size(), 2, twice);
  for (std::size_t i = 0; i < once.lanes.size(); ++i) EXPECT_FLOAT_EQ(twice.lanes[i], 2 * once.lanes[i]);
}

}  // namespace
}  // namespace ridge::backends::probe_host
