// SPDX-License-Identifier: Apache-2.0
#include "summary/lost_gain.hpp"

#include <cmath>
#include <random>

#include <gtest/gtest.h>

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
