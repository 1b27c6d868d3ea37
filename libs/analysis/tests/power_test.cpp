// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <ridge/analysis/power.hpp>

namespace ridge::analysis {
namespace {

using ::testing::HasSubstr;

const power_model truth{.limit_w = 400, .idle_w = 80, .memory_w = 200, .compute_w = 300};

std::vector<power_row> rows_of(std::initializer_list<std::pair<double, double>> shares) {
  std::vector<power_row> all;
  for (const auto& [m, c] : shares) all.push_back({m, c, truth.at(m, c), std::to_string(all.size() % 3)});
  return all;
}

TEST(Power, FindsIdleMemoryAndCompute) {
  const auto m =
      fit_power(rows_of({{0, 0}, {0.9, 0.05}, {0.5, 0.2}, {0.1, 0.6}, {0.3, 0.3}, {0.7, 0.1}}), 400);
  ASSERT_TRUE(m);
  EXPECT_NEAR(m->idle_w, 80, 1e-6);
  EXPECT_NEAR(m->memory_w, 200, 1e-6);
  EXPECT_NEAR(m->compute_w, 300, 1e-6);
  EXPECT_LT(m->p90_error, 1e-9);
}

// Rows at the limit are lower bounds of the sum; as equalities they would lower the fit.
TEST(Power, RowsAtTheLimitDoNotPullTheCoefficientsDown) {
  const auto m = fit_power(
      rows_of({{0, 0}, {0.9, 0}, {0.5, 0.2}, {0, 0.9}, {0.1, 0.5}, {0.8, 0.9}, {0.9, 1}, {1, 1}}), 400);
  ASSERT_TRUE(m);
  EXPECT_EQ(m->capped, 3);
  EXPECT_NEAR(m->compute_w, 300, 1);
  EXPECT_DOUBLE_EQ(m->at(1, 1), 400);
}

TEST(Power, AWildRowHardlyCounts) {
  auto rows = rows_of({{0, 0},
                       {0.9, 0.05},
                       {0.5, 0.2},
                       {0.1, 0.6},
                       {0.3, 0.3},
                       {0.7, 0.1},
                       {0.2, 0.2},
                       {0.4, 0.4},
                       {0.6, 0.3}});
  rows.push_back({0.3, 0.2, 60, "0"});  // reads less than idle
  const auto m = fit_power(rows, 400);
  ASSERT_TRUE(m);
  EXPECT_NEAR(m->at(0.5, 0.3), truth.at(0.5, 0.3), 0.08 * truth.at(0.5, 0.3));
}

TEST(Power, RefusesNonsense) {
  EXPECT_THAT(fit_power(rows_of({{0, 0}, {1, 0}, {0, 1}}), 400).why().text(),
              HasSubstr("at least four rows"));
  auto rows = rows_of({{0, 0}, {1, 0}, {0, 1}, {0.5, 0.5}});
  rows[2].compute_share = -0.1;
  EXPECT_THAT(fit_power(rows, 400).why().text(), HasSubstr("row 3"));
  EXPECT_FALSE(fit_power(rows_of({{0, 0}, {1, 0}, {0, 1}, {0.5, 0.5}}), 0));
}

TEST(Power, KnownModelsAreOfGpusWithErrorsAndSources) {
  ASSERT_FALSE(known_power_models().empty());
  for (const auto& m : known_power_models()) {
    EXPECT_GT(m.idle_w, 0) << m.gpu;
    EXPECT_LT(m.idle_w, m.limit_w / 2) << m.gpu;
    EXPECT_GT(m.median_error, 0) << m.gpu;
    EXPECT_FALSE(m.source.empty()) << m.gpu;
  }
  EXPECT_EQ(power_model_of("no such GPU"), nullptr);
}

}  // namespace
}  // namespace ridge::analysis
