// SPDX-License-Identifier: Apache-2.0
#include "step_statistic.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace ridge::stats {
namespace {

constexpr std::size_t shortest_part = 10;
constexpr std::size_t most_lengths = 6;  // shorter parts of a long series are searched once it is split

std::vector<double> weights_of(std::size_t length) {
  std::vector<double> weights(length, 0.0);
  const auto n = static_cast<double>(length);
  for (std::size_t k = 1; k < length; ++k) {
    const auto before = static_cast<double>(k);
    weights[k] = std::sqrt(n / (before * (n - before)));
  }
  return weights;
}

// Returns the lengths of the whole and of its halves, quarters and so on, rounded up.
std::vector<std::size_t> lengths_of(std::size_t n, std::size_t fewest, bool parts) {
  std::vector<std::size_t> lengths{n};
  const auto shortest = std::max(shortest_part, 2 * fewest);
  for (auto length = (n + 1) / 2; parts && length >= shortest && lengths.size() < most_lengths;
       length = (length + 1) / 2)
    lengths.push_back(length);
  return lengths;
}

constexpr std::size_t lanes = 4;

}  // namespace

// The sums of one part, from which the height of a step after k observations follows.
struct step_statistic::part_sums {
  const double* sums;
  const double* weights;
  double first, mean;
  [[nodiscard]] double height(std::size_t k) const {
    return std::abs(sums[k] - first - mean * static_cast<double>(k)) * weights[k];
  }
};

step_statistic::part_sums step_statistic::sums_of(const part& range) const {
  const double* sums = sums_.data() + range.begin;
  return {sums, weights_[range.weights].data(), sums[0],
          (sums[range.length] - sums[0]) / static_cast<double>(range.length)};
}

step_statistic::step_statistic(std::size_t n, std::size_t fewest, bool parts)
    : fewest_(fewest), sums_(n + 1) {
  const auto lengths = lengths_of(n, fewest, parts);
  for (const auto length : lengths) {
    weights_.push_back(weights_of(length));
    const auto count = length == n ? 1 : 2 * ((n + length - 1) / length) - 1;
    for (std::size_t i = 0; i < count; ++i)
      parts_.push_back({count == 1 ? 0 : i * (n - length) / (count - 1), length, weights_.size() - 1});
  }
}

void step_statistic::add_up(std::span<const double> x) {
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) sums_[i + 1] = sum += x[i];
}

step step_statistic::greatest(std::span<const double> x) {
  add_up(x);
  const part* steepest = nullptr;
  double height = -1;
  for (const auto& one : parts_) {
    const double found = height_within(one);
    if (found > height) {
      height = found;
      steepest = &one;
    }
  }
  return steepest == nullptr ? step{} : locate(*steepest, height);
}

double step_statistic::greatest_height(std::span<const double> x) {
  add_up(x);
  double height = 0;
  for (const auto& one : parts_) height = std::max(height, height_within(one));
  return height;
}

// Nearly all time of a search is spent here: four maxima beside each other let the compiler use vectors.
double step_statistic::height_within(const part& range) const {
  const auto sums = sums_of(range);
  std::array<double, lanes> best{};
  std::size_t k = fewest_;
  for (; k + fewest_ + lanes <= range.length + 1; k += lanes) {
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      const double height = sums.height(k + lane);
      best[lane] = height > best[lane] ? height : best[lane];
    }
  }
  for (; k + fewest_ <= range.length; ++k) best[0] = std::max(best[0], sums.height(k));
  return std::max(std::max(best[0], best[1]), std::max(best[2], best[3]));
}

step step_statistic::locate(const part& range, double height) const {
  const auto sums = sums_of(range);
  auto k = fewest_;
  while (k + fewest_ < range.length && sums.height(k) < height) ++k;
  return {range.begin, range.begin + k, range.begin + range.length, height};
}

}  // namespace ridge::stats
