// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <functional>
#include <random>
#include <vector>

#include <ridge/harness/contestants.hpp>

namespace ridge::harness {

// Arms whose times are drawn, on a clock that only they advance: a session over them is deterministic and
// instant.
class simulated_arms final : public contestants {
 public:
  using time_of_call = std::function<double(std::mt19937_64&, std::uint64_t round)>;
  simulated_arms(std::vector<time_of_call> arms, std::uint64_t seed) : arms_(std::move(arms)), random_(seed) {
    time_s = 0;
  }

  std::size_t arms() const override { return arms_.size(); }
  bool may_loop() const override { return loops; }
  void begin_round(std::uint64_t round) override { round_ = round; }
  sample run(std::size_t arm, std::uint64_t n) override {
    value_ = arms_[arm](random_, round_);
    time_s += value_ * static_cast<double>(n) + 1e-6;
    ++runs;
    return {value_ * static_cast<double>(n), {&value_, 1}};
  }

  static double now() { return time_s; }
  static inline double time_s = 0;
  bool loops = true;
  std::size_t runs = 0;

 private:
  std::vector<time_of_call> arms_;
  std::mt19937_64 random_;
  std::uint64_t round_ = 0;
  double value_ = 0;
};

// A call of `seconds` with multiplicative noise, and an interruption of `burst` seconds in one call of
// `every`.
inline simulated_arms::time_of_call noisy(double seconds, double noise, double burst = 0,
                                          double every = 1e9) {
  return [=](std::mt19937_64& random, std::uint64_t) {
    std::normal_distribution<double> normal(0, noise);
    std::uniform_real_distribution<double> uniform(0, 1);
    return seconds * std::exp(normal(random)) + (uniform(random) * every < 1 ? burst : 0);
  };
}

}  // namespace ridge::harness
