// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include <ridge/host/isa.hpp>

#include "arithmetic/arithmetic_operands.hpp"
#include "arithmetic/arithmetic_probe.hpp"
#include "arithmetic/core_clock.hpp"
#include "tests/steady.hpp"

namespace ridge::backends::probe_host {
namespace {

bool can_run(const arithmetic_kernel& kernel) {
  const auto found = kernel.op == operation::multiply_and_add ? runnable_kernels(kernel.type, kernel.op)
                                                              : runnable_kernels(kernel.type);
  return std::ranges::find(found, &kernel) != found.end();
}

TEST(arithmetic_kernels, every_element_is_what_single_steps_make_of_it) {
  for (const auto& kernel : arithmetic_kernels()) {
    if (!can_run(kernel)) continue;
    for (const std::int64_t rounds : {1, 2, 33}) {
      const auto start = random_operands(kernel);
      auto state = start;
      kernel.run(state, rounds);
      for (std::size_t i = 0; i < accumulated(kernel); ++i) {
        const double wanted = expected_after(kernel, start, i, rounds);
        ASSERT_NEAR(value_at(kernel, state, i), wanted,
                    tolerance_of(kernel) * std::max(1.0, std::abs(wanted)))
            << name_of(kernel.type) << " " << kernel.isa << " element " << i << " after " << rounds;
      }
    }
  }
}

TEST(arithmetic_kernels, operands_stay_finite_and_unlike) {
  for (const auto& kernel : arithmetic_kernels()) {
    if (!can_run(kernel)) continue;
    auto state = random_operands(kernel);
    kernel.run(state, 20000);
    double lo = 1e300, hi = -1e300;
    for (std::size_t i = 0; i < accumulated(kernel); ++i) {
      const double x = value_at(kernel, state, i);
      ASSERT_TRUE(std::isfinite(x)) << name_of(kernel.type) << " " << kernel.isa;
      lo = std::min(lo, x), hi = std::max(hi, x);
    }
    EXPECT_LT(lo, hi) << name_of(kernel.type) << " " << kernel.isa;
  }
}

TEST(arithmetic_kernels, operations_are_counted_as_two_of_each_product) {
  for (const auto& kernel : arithmetic_kernels()) {
    const auto narrow = kernel.type == number::int8   ? 1
                        : kernel.type == number::fp64 ? 8
                        : kernel.type == number::fp32 ? 4
                                                      : 2;
    const double lanes = static_cast<double>(kernel.vector_bytes) / narrow;
    const double instruction = kernel.operations / kernel.instructions;
    if (kernel.op == operation::tiles) {
      EXPECT_EQ(instruction, 2.0 * 16 * 16 * 64 / narrow);
    } else if (kernel.op == operation::multiply_and_add) {
      EXPECT_EQ(instruction, 1.5 * lanes);
    } else {
      EXPECT_EQ(instruction, (kernel.isa == "sse2" ? 1 : 2) * lanes) << kernel.isa;
    }
  }
}

TEST(starts_per_cycle, is_the_next_number_of_units_that_allows_what_was_seen) {
  const arithmetic_kernel narrow{number::fp32, operation::multiply_add, "avx2", {}, 32, 48, 96.0 * 8,
                                 nullptr};
  const arithmetic_kernel tile{number::bf16, operation::tiles, "amx", {}, 1024, 4, 65536, nullptr};
  EXPECT_EQ(starts_per_cycle(narrow, 1.9), 2);
  EXPECT_EQ(starts_per_cycle(narrow, 1.01), 1);
  EXPECT_EQ(starts_per_cycle(narrow, 1.2), 2);
  EXPECT_EQ(starts_per_cycle(narrow, 2.5), 2);
  EXPECT_EQ(starts_per_cycle(tile, 0.06), 1.0 / 16);
  EXPECT_EQ(starts_per_cycle(tile, 0.48), 0.5);
}

TEST(dependent_adds, add_one_sixteen_times_a_round) {
  EXPECT_EQ(dependent_adds(1), 16u);
  EXPECT_EQ(dependent_adds(1000), 16000u);
}

TEST(core_clock, reads_a_clock_that_cores_have) {
  const steady clock;
  sampler on(clock, nullptr);
  core_clock counted(on);
  EXPECT_EQ(counted.hz(), 0);
  int clean = 0;
  for (int i = 0; i < 200 && clean < 5; ++i) clean += counted.step(on).clean;
  if (clean == 0) GTEST_SKIP() << "every reading was disturbed: the machine is busy";
  EXPECT_GT(counted.hz(), 0.3e9);
  EXPECT_LT(counted.hz(), 8e9);
}

}  // namespace
}  // namespace ridge::backends::probe_host
