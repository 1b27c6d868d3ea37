// SPDX-License-Identifier: Apache-2.0
#include <ridge/plan/kernels/simplex_search.hpp>

#include <algorithm>
#include <cmath>

#include <ridge/base/expects.hpp>

namespace ridge::plan::kernels {
namespace {

struct vertex {
  std::vector<double> point{};
  double value = 0;
};

class simplex {
 public:
  simplex(const std::function<double(const std::vector<double>&)>& value, const std::vector<double>& start,
          const std::vector<double>& step)
      : function_(value) {
    add(start);
    for (std::size_t i = 0; i < start.size(); ++i) {
      auto at = start;
      at[i] += step[i];
      add(at);
    }
    sort();
  }

  [[nodiscard]] int evaluations() const { return evaluations_; }
  [[nodiscard]] const vertex& best() const { return all_.front(); }
  [[nodiscard]] bool flat() const {
    constexpr double enough = 1e-10;
    return all_.back().value - all_.front().value <= enough * (1 + std::abs(all_.front().value));
  }

  void improve() {
    const auto reflected = along(1);
    if (reflected.value < all_.front().value) {
      const auto expanded = along(2);
      replace(expanded.value < reflected.value ? expanded : reflected);
    } else if (reflected.value < all_[all_.size() - 2].value) {
      replace(reflected);
    } else {
      const auto contracted = along(reflected.value < all_.back().value ? 0.5 : -0.5);
      if (contracted.value < std::min(reflected.value, all_.back().value))
        replace(contracted);
      else
        shrink();
    }
    sort();
  }

 private:
  void add(const std::vector<double>& position) { all_.push_back({position, value(position)}); }
  double value(const std::vector<double>& position) {
    ++evaluations_;
    const double v = function_(position);
    return std::isfinite(v) ? v : 1e300;
  }
  void sort() { std::ranges::stable_sort(all_, {}, &vertex::value); }
  void replace(const vertex& better) { all_.back() = better; }

  // A point on the line from the worst vertex through the centroid of the others; 1 is the reflection.
  vertex along(double factor) {
    std::vector<double> at(all_.front().point.size());
    for (std::size_t d = 0; d < at.size(); ++d) {
      double middle = 0;
      for (std::size_t v = 0; v + 1 < all_.size(); ++v) middle += all_[v].point[d];
      middle /= static_cast<double>(all_.size() - 1);
      at[d] = middle + factor * (middle - all_.back().point[d]);
    }
    return {at, value(at)};
  }

  void shrink() {
    for (std::size_t v = 1; v < all_.size(); ++v) {
      for (std::size_t d = 0; d < all_[v].point.size(); ++d)
        all_[v].point[d] = (all_[v].point[d] + all_[0].point[d]) / 2;
      all_[v].value = value(all_[v].point);
    }
  }

  const std::function<double(const std::vector<double>&)>& function_;
  std::vector<vertex> all_{};
  int evaluations_ = 0;
};

}  // namespace

search_result simplex_search(const std::function<double(const std::vector<double>&)>& value,
                             const std::vector<double>& start, const std::vector<double>& step,
                             int most_evaluations) {
  expects(!start.empty() && start.size() == step.size(), "simplex_search: one step for each number");
  simplex s(value, start, step);
  while (s.evaluations() < most_evaluations && !s.flat()) s.improve();
  return {s.best().point, s.best().value, s.evaluations()};
}

}  // namespace ridge::plan::kernels
