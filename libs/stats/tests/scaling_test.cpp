// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <vector>

#include <gmock/gmock.h>

#include <ridge/stats/counter_random.hpp>
#include <ridge/stats/scaling.hpp>

namespace ridge::stats {
namespace {

using ::testing::HasSubstr;

std::vector<scaling_point> points_of(const scaling_fit& truth, std::initializer_list<double> workers,
                                     double noise = 0, std::uint64_t seed = 7) {
  std::vector<scaling_point> all;
  for (const double n : workers)
    all.push_back({n, truth.at(n) * std::exp(noise * random_normal(seed, 0, all.size()))});
  return all;
}

constexpr scaling_fit usl{.law = scaling_law::usl, .single = 995.6, .serial = 0.0267, .crosstalk = 0.000769};

TEST(Scaling, FindsAmdahlsSerialShare) {
  const scaling_fit truth{.law = scaling_law::amdahl, .single = 100, .serial = 0.05};
  const auto points = points_of(truth, {1, 2, 4, 8, 16, 64});
  const auto f = fit_scaling(scaling_law::amdahl, points);
  ASSERT_TRUE(f);
  EXPECT_NEAR(f->single, 100, 1e-9);
  EXPECT_NEAR(f->serial, 0.05, 1e-12);
  EXPECT_NEAR(f->at(1e9), 2000, 0.1);  // 100 / 0.05
}

// Gunther's example of a peak: N* = sqrt((1 - s)/k) = 35.6.
TEST(Scaling, FindsTheUniversalLawsPeak) {
  const auto points = points_of(usl, {1, 4, 8, 12, 16, 20, 24, 28, 32, 48, 64});
  const auto f = fit_scaling(scaling_law::usl, points);
  ASSERT_TRUE(f);
  EXPECT_NEAR(f->serial, 0.0267, 1e-9);
  EXPECT_NEAR(f->crosstalk, 0.000769, 1e-11);
  EXPECT_NEAR(f->peak_workers().value(), 35.58, 0.01);
}

TEST(Scaling, FindsGustafsonAndPowerLaws) {
  const scaling_fit gustafson{.law = scaling_law::gustafson, .single = 10, .serial = 0.2};
  const auto g = fit_scaling(scaling_law::gustafson, points_of(gustafson, {1, 2, 8, 32}));
  ASSERT_TRUE(g);
  EXPECT_NEAR(g->serial, 0.2, 1e-12);
  EXPECT_NEAR(g->at(32), 10 * (32 - 0.2 * 31), 1e-9);
  const scaling_fit power{.law = scaling_law::power, .single = 3, .exponent = 0.9};
  const auto p = fit_scaling(scaling_law::power, points_of(power, {1, 3, 9, 27}));
  ASSERT_TRUE(p);
  EXPECT_NEAR(p->exponent, 0.9, 1e-12);
}

TEST(Scaling, CoefficientsAreNeverNegative) {
  const std::vector<scaling_point> superlinear{{1, 10}, {2, 21}, {4, 44}, {8, 92}};
  const auto f = fit_scaling(scaling_law::usl, superlinear);
  ASSERT_TRUE(f);
  EXPECT_EQ(f->serial, 0);
  EXPECT_EQ(f->crosstalk, 0);
  EXPECT_FALSE(f->peak_workers());
}

TEST(Scaling, ChoosesTheLawThatMadeThePoints) {
  const auto noisy = points_of(usl, {1, 2, 4, 8, 16, 24, 32, 48, 64, 96}, 0.01);
  const auto laws = fit_scaling_laws(noisy);
  ASSERT_TRUE(laws);
  EXPECT_EQ(laws->front().law, scaling_law::usl);
  EXPECT_EQ(laws->size(), 4);
}

// Four points are too few for AICc; the law that predicts each of them best from the others is the universal
// law, which fits them 25 times better.
TEST(Scaling, ChoosesAmongFourPointsByThoseLeftOut) {
  const std::vector<scaling_point> points{{1, 100}, {2, 195}, {4, 370}, {8, 660}};
  const auto all = fit_scaling_laws(points);
  ASSERT_TRUE(all);
  EXPECT_EQ(all->front().law, scaling_law::usl);
  EXPECT_NEAR(all->front().at(64), 1106, 1);
  EXPECT_LT(all->front().left_out_error, (*all)[1].left_out_error);
}

TEST(Scaling, FewNoisyPointsOfASimpleLawDoNotChooseAHarderOne) {
  const scaling_fit truth{.law = scaling_law::amdahl, .single = 100, .serial = 0.05};
  int simple = 0;
  constexpr int tries = 200;
  for (int i = 0; i < tries; ++i)
    simple +=
        fit_scaling_laws(points_of(truth, {1, 2, 4, 8}, 0.02, static_cast<std::uint64_t>(i)))->front().law !=
                scaling_law::usl
            ? 1
            : 0;
  EXPECT_GT(simple, tries * 3 / 5);
}

// From 16 to 32 workers the throughput falls by a fifth, which Amdahl's law cannot.
TEST(Scaling, NoisyPointsThatFallAreTheUniversalLaws) {
  const scaling_fit truth{.law = scaling_law::usl, .single = 100, .serial = 0.03, .crosstalk = 0.004};
  int universal = 0;
  constexpr int tries = 100;
  for (int i = 0; i < tries; ++i) {
    const auto all =
        fit_scaling_laws(points_of(truth, {1, 2, 4, 8, 16, 32}, 0.03, static_cast<std::uint64_t>(i)));
    universal += all->front().law == scaling_law::usl ? 1 : 0;
  }
  EXPECT_GE(universal, tries * 9 / 10);
}

TEST(Scaling, ALawWithAsManyCoefficientsAsPointsComesLast) {
  const auto all = fit_scaling_laws(points_of(usl, {1, 4, 16}));
  ASSERT_TRUE(all);
  EXPECT_EQ(all->back().law, scaling_law::usl);
}

TEST(Scaling, BandHoldsTheTruthAndWidensOutside) {
  const auto points = points_of(usl, {1, 2, 4, 8, 12, 16, 24, 32}, 0.02);
  const auto f = fit_scaling(scaling_law::usl, points);
  ASSERT_TRUE(f);
  const std::vector<double> asked{16, 64, 128};
  const auto p = predict_scaling(*f, points, asked);
  ASSERT_TRUE(p);
  for (const auto& one : *p) EXPECT_TRUE(one.band.contains(usl.at(one.workers))) << one.workers;
  EXPECT_FALSE((*p)[0].extrapolated);
  EXPECT_TRUE((*p)[1].extrapolated);
  const auto relative = [](const scaling_prediction& x) { return x.band.width() / x.throughput; };
  EXPECT_GT(relative((*p)[2]), relative((*p)[1]));
  EXPECT_GT(relative((*p)[1]), relative((*p)[0]));
}

// Of 95 % bands, a share near 95 % must hold the next measurement.
TEST(Scaling, BandHoldsItsLevel) {
  const scaling_fit truth{.law = scaling_law::amdahl, .single = 50, .serial = 0.03};
  int held = 0;
  constexpr int trials = 60;
  for (int t = 0; t < trials; ++t) {
    const auto seed = static_cast<std::uint64_t>(t) + 100;
    const auto points = points_of(truth, {1, 2, 3, 4, 6, 8, 12, 16, 24, 32}, 0.03, seed);
    const auto f = fit_scaling(scaling_law::amdahl, points);
    ASSERT_TRUE(f);
    const auto p = predict_scaling(*f, points, std::vector<double>{20}, 0.95, seed);
    ASSERT_TRUE(p);
    held += p->front().band.contains(truth.at(20) * std::exp(0.03 * random_normal(seed, 9, 0)));
  }
  EXPECT_GE(held, trials * 85 / 100);
}

TEST(Scaling, RefusesToExtrapolateWithoutABand) {
  const std::vector<scaling_point> two{{1, 10}, {2, 19}};
  const auto f = fit_scaling(scaling_law::amdahl, two);
  ASSERT_TRUE(f);
  const auto p = predict_scaling(*f, two, std::vector<double>{64});
  ASSERT_FALSE(p);
  EXPECT_THAT(p.why().text(), HasSubstr("measure at least 3 points"));
}

TEST(Scaling, NamesTheBadPoint) {
  const std::vector<scaling_point> bad{{1, 10}, {2, -1}};
  const auto f = fit_scaling(scaling_law::amdahl, bad);
  ASSERT_FALSE(f);
  EXPECT_THAT(f.why().text(), HasSubstr("point 2"));
  EXPECT_FALSE(fit_scaling(scaling_law::usl, std::vector<scaling_point>{{1, 1}, {2, 2}, {2, 2.1}}));
}

TEST(Scaling, KarpFlattInvertsAmdahl) { EXPECT_NEAR(karp_flatt(8 / (1 + 0.1 * 7), 8), 0.1, 1e-12); }

TEST(CounterRandom, DependsOnPlaceAlone) {
  EXPECT_EQ(random_bits(1, 2, 3), random_bits(1, 2, 3));
  EXPECT_NE(random_bits(1, 2, 3), random_bits(1, 3, 2));
  EXPECT_NE(random_bits(1, 2, 3), random_bits(2, 1, 3));
}

TEST(CounterRandom, IsUniformAndNormal) {
  double sum = 0, square = 0, normal = 0;
  constexpr int n = 20000;
  for (int i = 0; i < n; ++i) {
    const double u = random_uniform(5, 0, static_cast<std::uint64_t>(i));
    const double z = random_normal(5, 1, static_cast<std::uint64_t>(i));
    sum += u, square += z * z, normal += z;
    ASSERT_GE(u, 0);
    ASSERT_LT(u, 1);
  }
  EXPECT_NEAR(sum / n, 0.5, 0.01);
  EXPECT_NEAR(normal / n, 0, 0.03);
  EXPECT_NEAR(square / n, 1, 0.05);
}

}  // namespace
}  // namespace ridge::stats
