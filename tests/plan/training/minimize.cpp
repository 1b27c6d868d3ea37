// SPDX-License-Identifier: Apache-2.0
#include "minimize.hpp"

#include <algorithm>
#include <cmath>

namespace ridge::plan::train {
namespace {

using point = std::vector<double>;
using cost_of = std::function<double(const point&)>;

struct vertex {
  point coordinates{};
  double cost = 0;
};

point within(point p, const std::vector<unknown>& limits) {
  for (std::size_t i = 0; i < p.size(); ++i) p[i] = std::clamp(p[i], limits[i].least, limits[i].most);
  return p;
}

// a + by · (b - a)
point between(const point& a, const point& b, double share) {
  point p(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) p[i] = a[i] + share * (b[i] - a[i]);
  return p;
}

class simplex {
 public:
  simplex(const cost_of& cost, const std::vector<unknown>& limits, const point& start)
      : cost_(cost), limits_(limits) {
    add(start);
    for (std::size_t i = 0; i < start.size(); ++i) {
      auto p = start;
      const double step = 0.15 * (limits[i].most - limits[i].least);
      p[i] += p[i] + step > limits[i].most ? -step : step;
      add(p);
    }
  }

  vertex descend() {
    constexpr int most_steps = 4000;
    for (int i = 0; i < most_steps && spread() > 1e-14; ++i) step();
    sort();
    return all_.front();
  }

 private:
  vertex at(const point& p) const {
    const auto inside = within(p, limits_);
    return {inside, cost_(inside)};
  }
  void add(const point& p) { all_.push_back(at(p)); }
  void sort() { std::ranges::sort(all_, {}, &vertex::cost); }
  double spread() {
    sort();
    double most = 0;
    for (const auto& v : all_)
      for (std::size_t i = 0; i < v.coordinates.size(); ++i)
        most = std::max(most, std::abs(v.coordinates[i] - all_.front().coordinates[i]) /
                                  (limits_[i].most - limits_[i].least));
    return most * most;
  }
  point centre() const {
    point c(all_.front().coordinates.size(), 0.0);
    for (std::size_t v = 0; v + 1 < all_.size(); ++v)
      for (std::size_t i = 0; i < c.size(); ++i)
        c[i] += all_[v].coordinates[i] / static_cast<double>(all_.size() - 1);
    return c;
  }
  void step() {
    const auto c = centre();
    auto& worst = all_.back();
    const auto reflected = at(between(c, worst.coordinates, -1));
    if (reflected.cost < all_.front().cost) {
      const auto further = at(between(c, worst.coordinates, -2));
      worst = further.cost < reflected.cost ? further : reflected;
    } else if (reflected.cost < all_[all_.size() - 2].cost) {
      worst = reflected;
    } else {
      const auto nearer = at(between(c, worst.coordinates, reflected.cost < worst.cost ? -0.5 : 0.5));
      if (nearer.cost < worst.cost)
        worst = nearer;
      else
        shrink();
    }
  }
  void shrink() {
    for (std::size_t v = 1; v < all_.size(); ++v)
      all_[v] = at(between(all_.front().coordinates, all_[v].coordinates, 0.5));
  }

  const cost_of& cost_;
  const std::vector<unknown>& limits_;
  std::vector<vertex> all_{};
};

}  // namespace

std::vector<double> minimize(const cost_of& cost, const std::vector<unknown>& unknowns) {
  point start;
  for (const auto& u : unknowns) start.push_back(u.start);
  vertex best{start, cost(start)};
  for (int round = 0; round < 6; ++round) {
    const auto found = simplex(cost, unknowns, best.coordinates).descend();
    const bool gained = found.cost < best.cost * (1 - 1e-6);
    if (found.cost < best.cost) best = found;
    if (!gained) break;
  }
  return best.coordinates;
}

}  // namespace ridge::plan::train
