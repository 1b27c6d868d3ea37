// SPDX-License-Identifier: Apache-2.0
#include "summary/lost_gain.hpp"

#include <cmath>
#include <random>

#include <gtest/gtest.h>
#include <ridge/base/splitmix.hpp>

namespace ridge::harness {
namespace {

// Seconds of calls around one value, with interruptions in some of them.
class drawn_calls {
 public:
  explicit drawn_calls(std::uint64_t seed) : random_(seed) {}
  double around(double seconds, double noise = 0.05, double interrupted = 0.1) {
    std::normal_distribution<double> normal(0, noise);
    std::uniform_real_distribution<double> lot(0, 1);
    return seconds * std::exp(normal(random_)) * (lot(random_) < interrupted ? 1 + 5 * lot(random_) : 1);
  }
  std::vector<double> logs(double ratio, std::size_t count) {
    std::vector<double> all;
    for (std::size_t i = 0; i < count; ++i) all.push_back(std::log(around(ratio) / around(1)));
    return all;
  }

 private:
  std::mt19937_64 random_;
};

TEST(lost_gain, a_gain_on_old_data_alone_is_lost) {
  drawn_calls drawn(1);
  const auto lost = lost_in_pairs(drawn.logs(3, 24), drawn.logs(0.95, 24));
  EXPECT_TRUE(is_lost(std::log(3), lost, {std::log(1.1)})) << lost.loss << " " << lost.t;
  EXPECT_FALSE(is_lost(std::log(12), lost, {std::log(1.1)})) << "over half of that is left";
  EXPECT_FALSE(is_lost(0, lost, {std::log(1.1)})) << "nothing is claimed";
}

TEST(lost_gain, too_few_pairs_say_nothing) {
  drawn_calls drawn(1);
  EXPECT_FALSE(is_lost(std::log(3), lost_in_pairs(drawn.logs(3, 5), drawn.logs(0.95, 5)), {std::log(1.1)}));
  EXPECT_FALSE(is_lost(std::log(3), lost_in_pairs({}, {}), {std::log(1.1)}));
}

// A loss of about a half, in few values.
lost_gain clear_loss(std::size_t values) {
  std::vector<double> claimed, left;
  for (std::size_t i = 0; i < values; ++i) {
    claimed.push_back(std::log(3));
    left.push_back(std::log(3) - 0.5 - 0.001 * static_cast<double>(i % 2));
  }
  return lost_in_pairs(claimed, left);
}

TEST(lost_gain, few_values_say_something_where_a_limit_for_them_is_stated) {
  for (const std::size_t values : {3u, 5u}) {
    EXPECT_TRUE(is_lost(0.8, clear_loss(values), {.least_loss = 0.1, .most_by_noise_of_few = 1e-3}))
        << values;
    EXPECT_FALSE(is_lost(0.8, clear_loss(values), {.least_loss = 0.1})) << values;
  }
  EXPECT_FALSE(is_lost(0.8, clear_loss(2), {.least_loss = 0.1, .most_by_noise_of_few = 1e-3}));
  EXPECT_TRUE(is_lost(0.8, clear_loss(6), {.least_loss = 0.1}));
}

TEST(lost_gain, so_much_must_be_left_as_the_limit_says) {
  const auto lost = clear_loss(12);
  EXPECT_TRUE(is_lost(0.8, lost, {.share_left = 0.5})) << "0.3 of 0.8 are left";
  EXPECT_FALSE(is_lost(0.8, lost, {.share_left = 0.35}));
  EXPECT_FALSE(is_lost(1.1, lost, {.share_left = 0.5})) << "0.6 of 1.1 are left";
  EXPECT_TRUE(is_lost(1.1, lost, {.share_left = 0.6}));
  EXPECT_FALSE(is_lost(0.8, lost, {.least_loss = 0.6, .share_left = 0.5})) << "0.5 is no large loss";
}

// A candidate that is slow now and then, so that its loss is not clear by its size.
TEST(lost_gain, nearly_every_loss_too_much_is_no_noise) {
  const auto wavers = [](std::size_t values, std::size_t honest) {
    std::vector<double> claimed(values, 0.3), left;
    for (std::size_t i = 0; i < values; ++i) left.push_back(i < honest ? 0.3 : i % 3 == 0 ? -9.0 : -0.1);
    return lost_in_pairs(claimed, left);
  };
  EXPECT_GT(probability_by_noise(wavers(12, 0)), 1e-4);
  EXPECT_TRUE(is_lost(0.3, wavers(10, 0), {.least_loss = 0.1})) << "1 of 1024 by chance";
  EXPECT_FALSE(is_lost(0.3, wavers(9, 0), {.least_loss = 0.1}));
  EXPECT_FALSE(is_lost(0.3, wavers(12, 1), {.least_loss = 0.1})) << "13 of 4096";
  EXPECT_TRUE(is_lost(0.3, wavers(14, 1), {.least_loss = 0.1})) << "15 of 16384";
}

// So many losses of exactly what may be lost, with noise to both sides.
TEST(lost_gain, the_sign_test_is_seldom_wrong_where_as_much_is_lost_as_may_be) {
  std::mt19937_64 random(11);
  std::cauchy_distribution<double> noise(0, 0.1);
  for (const std::size_t values : {6u, 12u, 24u}) {
    int lost = 0;
    constexpr int trials = 20'000;
    for (int i = 0; i < trials; ++i) {
      std::vector<double> claimed(values, 0.4), left;
      for (std::size_t k = 0; k < values; ++k) left.push_back(0.2 + noise(random));
      lost += is_lost(0.4, lost_in_pairs(claimed, left), {.most_by_noise = 0}) ? 1 : 0;
    }
    EXPECT_LE(lost, 35) << values << ": 20 in 20,000 are what is stated";
  }
}

// Normal noise that loses nothing, as often as stated or less.
TEST(lost_gain, noise_is_as_rare_as_its_probability_says) {
  splitmix_generator random(42);
  const auto uniform = [&] { return (static_cast<double>(random() >> 11U) + 0.5) * 0x1p-53; };
  for (const std::size_t values : {3u, 4u, 5u, 6u, 7u, 8u, 9u, 10u, 11u, 12u, 16u, 24u, 32u}) {
    int beyond_1e3 = 0, beyond_1e4 = 0;
    constexpr int trials = 50'000;
    std::vector<double> claimed(values), left(values);
    for (int i = 0; i < trials; ++i) {
      for (std::size_t k = 0; k < values; ++k)
        claimed[k] = std::sqrt(-2 * std::log(uniform())) * std::cos(6.283185307179586 * uniform());
      const double by_noise = probability_by_noise(lost_in_pairs(claimed, left));
      beyond_1e3 += by_noise < 1e-3 ? 1 : 0;
      beyond_1e4 += by_noise < 1e-4 ? 1 : 0;
    }
    EXPECT_LE(beyond_1e3, 80) << values << ": 50 are stated";
    EXPECT_LE(beyond_1e4, 15) << values << ": 5 are stated";
  }
}

TEST(lost_gain, noise_loses_nothing) {
  for (std::uint64_t seed = 1; seed <= 2000; ++seed) {
    drawn_calls drawn(seed);
    for (const double ratio : {1.05, 1.5}) {
      for (const std::size_t pairs : {6u, 24u}) {
        const auto lost = lost_in_pairs(drawn.logs(ratio, pairs), drawn.logs(ratio, pairs));
        EXPECT_FALSE(is_lost(std::log(ratio), lost, {std::log(1.1)})) << seed;
      }
    }
  }
}

// Something else slows the rounds of one kind, in the first half of the pairs alone.
TEST(lost_gain, both_halves_must_lose_it) {
  drawn_calls drawn(5);
  auto left = drawn.logs(0.9, 14);
  for (const double log : drawn.logs(1.5, 10)) left.push_back(log);
  EXPECT_FALSE(is_lost(std::log(1.5), lost_in_pairs(drawn.logs(1.5, 24), left), {std::log(1.1)}));
}

// Upkeep of one unit, in each call of the reference and saved up for every fourth one of the candidate.
TEST(lost_gain, upkeep_that_is_saved_up_is_in_the_mean) {
  drawn_calls drawn(3);
  for (const std::size_t rounds : {40u, 400u}) {
    std::vector<double> reference, candidate;
    for (std::size_t i = 0; i < rounds; ++i) {
      reference.push_back(drawn.around(4, 0.03, 0.01));
      candidate.push_back(drawn.around(i % 4 == 0 ? 7 : 3, 0.03, 0.01));
    }
    const auto lost = lost_in_means(reference, candidate);
    EXPECT_TRUE(is_lost(std::log(4.0 / 3), lost, {std::log(1.03), 1e-5}))
        << rounds << ": " << lost.loss << " " << lost.t;
  }
}

TEST(lost_gain, interruptions_of_both_arms_are_not_upkeep) {
  for (std::uint64_t seed = 1; seed <= 2000; ++seed) {
    drawn_calls drawn(seed);
    for (const double ratio : {1.06, 1.3, 10.0}) {
      std::vector<double> reference, candidate;
      for (std::size_t i = 0; i < 60; ++i) {
        reference.push_back(drawn.around(ratio, 0.1, 0.2));
        candidate.push_back(drawn.around(1, 0.1, 0.2));
      }
      EXPECT_FALSE(is_lost(std::log(ratio), lost_in_means(reference, candidate), {std::log(1.03), 1e-5}))
          << seed << " " << ratio;
    }
  }
}

TEST(lost_gain, what_a_reference_takes_more_alone_is_allowed) {
  drawn_calls drawn(4);
  std::vector<double> looped, once;
  for (int i = 0; i < 24; ++i) looped.push_back(drawn.around(20e-9)), once.push_back(drawn.around(50e-9));
  EXPECT_FALSE(is_lost(std::log(2), lost_in_single_calls({looped, once, 30e-9}), {std::log(1.25)}));
  for (double& seconds : once) seconds += 20e-9;
  EXPECT_TRUE(is_lost(std::log(2), lost_in_single_calls({looped, once, 30e-9}), {std::log(1.25)}));
}

}  // namespace
}  // namespace ridge::harness
