// SPDX-License-Identifier: Apache-2.0
// Errors of predicted step times, with the shipped coefficients and with each system left out of the fit.
#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "mlperf.hpp"
#include "pretraining.hpp"
#include "study.hpp"

namespace ridge::plan::train {
namespace {

constexpr auto no_data = "no steps of MLPerf: set RIDGE_DATA to the folder that holds serving/";

const study& a100() {
  static const auto one = study_a100();
  return one;
}

TEST(a100, half_of_the_published_runs_explains_both_halves) {
  const auto& s = a100();
  EXPECT_LE(s.found.fit_error, 0.07);
  EXPECT_GE(s.left_out.size(), s.fitted_to.size());
  double sum = 0;
  for (const auto& h : s.left_out) {
    sum += std::abs(h.error());
    EXPECT_LE(std::abs(h.error()), 0.21) << h.run.name;
  }
  EXPECT_LE(sum / static_cast<double>(s.left_out.size()), 0.08);
}

TEST(published, runs_that_ran_fit_their_gpus) {
  const auto all = runs_that_ran(test_data_folder());
  EXPECT_GE(all.size(), 47U);
  for (const auto& p : all) {
    // What is assumed of CUDA, NCCL and the allocator has a band of 2 % of the GPU.
    EXPECT_LE(needed_bytes(p), 1.02 * p.run.gpu.memory_bytes) << p.run.name;
    EXPECT_GE(needed_bytes(p), 0.3 * p.run.gpu.memory_bytes) << p.run.name;
  }
}

// The bands that the program prints hold what nobody fitted.
TEST(published, long_runs_are_within_their_bands) {
  for (const auto& p : pretraining_runs()) {
    const auto& c = training_coefficients_of(p.run.gpu);
    EXPECT_LE(std::abs(predict_s(p.run, c) / p.run.step_s - 1), p.run.job.model.has_experts() ? 0.4 : 0.2)
        << p.run.name;
  }
}

TEST(a100, no_share_is_at_a_limit_of_the_search) {
  const auto& c = a100().found;
  EXPECT_LT(c.bf16_efficiency, 0.9);
  EXPECT_GT(c.bandwidth_efficiency, 0.6);
  EXPECT_LT(c.bandwidth_efficiency, 0.94);
  EXPECT_GT(c.attention_efficiency, 0.3);
}

TEST(mlperf, a_system_is_predicted_from_the_four_others) {
  const auto studies = study_mlperf(test_data_folder(), a100().found);
  if (studies.empty()) GTEST_SKIP() << no_data;
  int systems = 0;
  for (const auto& s : studies)
    for (const auto& h : s.left_out) {
      ++systems;
      EXPECT_LE(std::abs(h.error()), h.own_generation ? 0.08 : 0.15) << h.run.name;
    }
  EXPECT_EQ(systems, 9);
}

TEST(mlperf, what_ships_is_what_the_data_say) {
  const auto found = shipped(test_data_folder(), a100().found);
  if (found.size() < 2) GTEST_SKIP() << no_data;
  const auto& embedded = embedded_training_coefficients();
  // The repository holds kernel tables of some of the GPUs; the full set has all of them.
  for (const auto& fitted : found) {
    const auto ships = std::ranges::find(embedded, fitted.gpu, &std::decay_t<decltype(embedded[0])>::gpu);
    ASSERT_NE(ships, embedded.end()) << fitted.gpu;
    EXPECT_NEAR(fitted.bf16_efficiency, ships->bf16_efficiency, 0.01) << fitted.gpu;
    EXPECT_NEAR(fitted.fp8_efficiency, ships->fp8_efficiency, 0.01) << fitted.gpu;
    EXPECT_NEAR(fitted.fixed_s, ships->fixed_s, 0.02) << fitted.gpu;
  }
}

TEST(mlperf, what_ships_predicts_the_rows_it_was_fitted_to) {
  const auto runs = mlperf_runs(test_data_folder());
  if (runs.empty()) GTEST_SKIP() << no_data;
  for (const auto& r : runs)
    EXPECT_LE(std::abs(predict_s(r, training_coefficients_of(r.gpu)) / r.step_s - 1), 0.02) << r.name;
}

}  // namespace
}  // namespace ridge::plan::train
