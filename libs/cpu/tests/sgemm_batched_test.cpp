// SPDX-License-Identifier: Apache-2.0
#include <ridge/cpu/sgemm_batched.hpp>

#include <gtest/gtest.h>

#include <ridge/cpu/sgemm.hpp>
#include <ridge/host/team.hpp>

#include "matrix.hpp"

namespace ridge::cpu {
namespace {

// Matrices side by side in memory, as `count` times `rows` rows.
matrix stack(std::int64_t count, std::int64_t rows, std::int64_t columns) {
  return {count * rows, columns, columns};
}

TEST(sgemm_batched, equals_one_product_after_another) {
  auto team = host::team::of_cores();
  for (const std::int64_t count : {0, 1, 3, 40}) {
    const std::int64_t m = 19, n = 37, k = 23;
    const auto a = std::move(stack(count, m, k).fill(1)), b = std::move(stack(count, k, n).fill(2));
    const auto single = stack(count, m, n), looped = stack(count, m, n), shared = stack(count, m, n);
    std::vector<float> workspace(sgemm_batched_workspace(m, n, k, team.size()));
    for (std::int64_t i = 0; i < count; ++i) {
      sgemm(m, n, k, a.data() + i * m * k, k, b.data() + i * k * n, n, single.data() + i * m * n, n,
            workspace);
    }
    sgemm_batched({count, m, n, k, a.data(), b.data(), looped.data()}, workspace);
    sgemm_batched(team, {count, m, n, k, a.data(), b.data(), shared.data()}, workspace);
    for (std::int64_t e = 0; e < count * m * n; ++e) {
      ASSERT_EQ(single.data()[e], looped.data()[e]) << e;
      ASSERT_EQ(single.data()[e], shared.data()[e]) << e;
    }
  }
}

}  // namespace
}  // namespace ridge::cpu
