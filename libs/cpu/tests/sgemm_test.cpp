// SPDX-License-Identifier: Apache-2.0
#include <ridge/cpu/sgemm.hpp>

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include <ridge/host/team.hpp>

#include "every_target.hpp"
#include "matrix.hpp"

namespace ridge::cpu {
namespace {

constexpr float poison = -77;
// Around the tiles of every instruction set (6×8, 6×16, 14×32) and their halves.
constexpr std::int64_t edges[] = {0, 1, 2, 3, 5, 6, 7, 8, 13, 14, 15, 16, 17, 29, 31, 32, 33, 63, 65, 70};

std::vector<float> workspace_of(std::int64_t m, std::int64_t n, std::int64_t k, int threads = 1) {
  return std::vector<float>(sgemm_workspace(m, n, k, threads), NAN);
}

double exact(const matrix& a, const matrix& b, std::int64_t i, std::int64_t j) {
  double sum = 0;
  for (std::int64_t p = 0; p < a.columns(); ++p) sum += double{a.at(i, p)} * double{b.at(p, j)};
  return sum;
}

// The largest distance from the exact product; every `step`-th element is compared.
double error(const matrix& a, const matrix& b, const matrix& c, std::int64_t step = 1) {
  double most = 0;
  for (std::int64_t e = 0; e < c.rows() * c.columns(); e += step) {
    const auto i = e / c.columns(), j = e % c.columns();
    const auto off = std::abs(c.at(i, j) - exact(a, b, i, j));
    if (!(off <= most)) most = off;  // also when it is not a number
  }
  return most;
}

// Rounding errors of a sum of k products of factors below 1.
double allowed(std::int64_t k) { return 6e-8 * (4 + static_cast<double>(k)); }

void check(std::int64_t m, std::int64_t n, std::int64_t k, std::int64_t gap) {
  const auto a = std::move(matrix(m, k, k + gap).fill(1));
  const auto b = std::move(matrix(k, n, n + 2 * gap).fill(2));
  const auto c = std::move(matrix(m, n, n + 3 * gap).fill_all(poison));
  auto workspace = workspace_of(m, n, k);
  sgemm(m, n, k, a.data(), a.stride(), b.data(), b.stride(), c.data(), c.stride(), workspace);
  ASSERT_LE(error(a, b, c), allowed(k)) << m << " x " << n << " x " << k << ", gap " << gap;
  ASSERT_TRUE(c.gaps_hold(poison) && !c.damaged()) << m << " x " << n << " x " << k << ", gap " << gap;
}

class sgemm_on : public testing::TestWithParam<std::int64_t> {};

TEST_P(sgemm_on, every_small_size) {
  const only_target set(GetParam());
  for (const auto m : edges) {
    for (const auto n : edges) {
      for (const std::int64_t k : {0, 1, 3, 8, 17, 64}) check(m, n, k, 0);
    }
  }
}

TEST_P(sgemm_on, strides_beyond_the_rows) {
  const only_target set(GetParam());
  for (const std::int64_t gap : {1, 7, 300}) {
    for (const std::int64_t size : {1, 5, 14, 31, 70}) check(size, size + 1, size + 2, gap);
  }
}

TEST_P(sgemm_on, several_blocks_of_each_dimension) {
  const only_target set(GetParam());
  check(20, 1061, 10, 0);
  check(75, 40, 700, 3);
  check(33, 1030, 520, 0);
}

INSTANTIATE_TEST_SUITE_P(each_target, sgemm_on, testing::ValuesIn(targets_here()),
                         [](const auto& about) { return std::string(hwy::TargetName(about.param)); });

TEST(sgemm, a_large_product) {
  const std::int64_t m = 601, n = 1100, k = 530;
  const auto a = std::move(matrix(m, k, k).fill(3));
  const auto b = std::move(matrix(k, n, n).fill(4));
  const matrix c(m, n, n);
  auto workspace = workspace_of(m, n, k);
  sgemm(m, n, k, a.data(), k, b.data(), n, c.data(), n, workspace);
  EXPECT_LE(error(a, b, c, 97), allowed(k));
}

TEST(sgemm, a_team_gives_the_same_bits) {
  auto team = host::team::of_cores();
  for (const std::int64_t m : {0, 1, 14, 40, 333}) {
    const std::int64_t n = 2 * m + 1, k = m + 3;
    const auto a = std::move(matrix(m, k, k).fill(5));
    const auto b = std::move(matrix(k, n, n).fill(6));
    const matrix one(m, n, n), many(m, n, n);
    auto workspace = workspace_of(m, n, k, team.size());
    sgemm(m, n, k, a.data(), k, b.data(), n, one.data(), n, workspace);
    sgemm(team, m, n, k, a.data(), k, b.data(), n, many.data(), n, workspace);
    for (std::int64_t e = 0; e < m * n; ++e) ASSERT_EQ(one.data()[e], many.data()[e]) << m << " at " << e;
  }
}

TEST(sgemm, refuses_wrong_arguments) {
  float one = 1;
  auto workspace = workspace_of(1, 1, 1);
  EXPECT_THROW(sgemm(1, 2, 1, &one, 1, &one, 1, &one, 2, workspace), std::logic_error);
  EXPECT_THROW(sgemm(1, 1, 1, &one, 1, &one, 1, &one, 1, {}), std::logic_error);
  EXPECT_THROW(sgemm(-1, 1, 1, &one, 1, &one, 1, &one, 1, workspace), std::logic_error);
}

}  // namespace
}  // namespace ridge::cpu
