// SPDX-License-Identifier: Apache-2.0
// The rules of nanobench 4.6, rebuilt from their description; its code is not used.
#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <vector>

#include <ridge/stats/order_interval.hpp>
#include <ridge/stats/quantile.hpp>

#include "rule.hpp"
#include "stopwatch.hpp"

namespace ridge::peers {
namespace {

constexpr std::size_t epochs = 11;

std::mt19937_64& generator() {
  static std::mt19937_64 g(1);
  return g;
}

struct centre {
  double median = 0;
  double error = 0;  // median absolute percentage error, as a fraction
};

// Runs eleven epochs of the same length, each up to a fifth longer at random, so that they do not coincide
// with a period of the machine.
centre measure(workload& subject, double seconds) {
  const auto calls = calls_for(subject, seconds / epochs / 1.1);
  std::uniform_int_distribution<std::uint64_t> more(0, calls / 5);
  std::vector<double> x;
  for (std::size_t i = 0; i < epochs; ++i) x.push_back(samples(subject, 1, calls + more(generator()))[0]);
  const double m = stats::median(x);
  std::vector<double> errors;
  for (const double value : x) errors.push_back(std::abs(value - m) / value);
  return {m, stats::median(errors)};
}

}  // namespace

// One arm, then the other; its table shows median and error of each, and a reader takes two arms for
// different when the ranges do not touch.
outcome nanobench_run(workload& subject, double budget_s) {
  const auto a = measure(subject, budget_s / 2), b = measure(subject, budget_s / 2);
  const double room = a.median * a.error + b.median * b.error;
  return {std::abs(a.median - b.median) > room, a.median / b.median};
}

// Follows its compare(): pairs in random order, the median of log ratios and the interval of a sign test. The
// number of rounds is fixed before the first.
outcome nanobench_compare(workload& subject, double budget_s) {
  const auto calls = calls_for(subject, 1e-3);
  const double pair_s = 2 * seconds_of(subject, calls);
  const auto rounds = std::max<std::size_t>(6, static_cast<std::size_t>(budget_s / pair_s));
  std::vector<double> x;
  std::bernoulli_distribution coin;
  for (std::size_t i = 0; i < rounds; ++i) {
    const bool swapped = coin(generator());
    std::array<double, 2> t{};
    for (const bool second : {false, true}) t[second != swapped ? 1 : 0] = seconds_of(subject, calls);
    x.push_back(std::log(t[0] / t[1]));
  }
  std::ranges::sort(x);
  const auto interval = stats::order_interval(x, stats::sign_rank(x.size(), 0.05));
  return {!interval.contains(0), std::exp(stats::median(x))};
}

}  // namespace ridge::peers
