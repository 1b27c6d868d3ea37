// SPDX-License-Identifier: Apache-2.0
#include <atomic>
#include <cmath>

#include <gtest/gtest.h>

#include <ridge/plan/serve/max_rate.hpp>

namespace ridge::plan::serve {
namespace {

// Sample s meets the objectives up to a rate of 10 + s.
rate_probe threshold(double rate, int sample) {
  return {.rate = rate, .sample = sample, .met = rate <= 10.0 + sample};
}

TEST(MaxRate, FindsTheThresholdOfEachSampleFromAnyGuess) {
  for (const double guess : {0.01, 1.0, 5000.0}) {
    const auto r = find_max_rate({.guess = guess, .tolerance = 0.001, .samples = 3}, threshold);
    ASSERT_EQ(r.samples.size(), 3U);
    for (int s = 0; s < 3; ++s) {
      EXPECT_LE(r.samples[static_cast<std::size_t>(s)], 10.0 + s);
      EXPECT_GT(r.samples[static_cast<std::size_t>(s)], (10.0 + s) * 0.998);
    }
    EXPECT_NEAR(r.rate, 11, 0.03);
    // Three samples 1 apart: t(2) = 4.303, a standard error of 1/sqrt(3).
    EXPECT_NEAR(r.high - r.rate, 4.303 / std::sqrt(3.0), 0.05);
    EXPECT_FALSE(r.unbounded);
  }
}

TEST(MaxRate, ThreadsChangeNothing) {
  const auto one = find_max_rate({.tolerance = 0.01, .samples = 4, .threads = 1}, threshold);
  for (const int threads : {2, 7}) {
    const auto more = find_max_rate({.tolerance = 0.01, .samples = 4, .threads = threads}, threshold);
    EXPECT_EQ(one.samples, more.samples);
    ASSERT_EQ(one.probes.size(), more.probes.size());
    for (std::size_t i = 0; i < one.probes.size(); ++i) EXPECT_EQ(one.probes[i].rate, more.probes[i].rate);
  }
}

TEST(MaxRate, EndsWhereNoRateOrEveryRateWill) {
  const auto all = find_max_rate({.samples = 1}, [](double r, int s) { return rate_probe{r, s, true, 0}; });
  EXPECT_TRUE(all.unbounded);
  const auto none = find_max_rate({.samples = 1}, [](double r, int s) { return rate_probe{r, s, false, 0}; });
  EXPECT_EQ(none.rate, 0);
}

TEST(MaxRate, StopsWhenAsked) {
  std::atomic<int> probes{0};
  const auto r = find_max_rate(
      {.tolerance = 1e-9, .samples = 1}, [&](double rate, int s) { return ++probes, threshold(rate, s); },
      [&] { return probes > 20; });
  EXPECT_LE(probes, 24);
  EXPECT_GT(r.rate, 5);
}

}  // namespace
}  // namespace ridge::plan::serve
