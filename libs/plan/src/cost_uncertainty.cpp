// SPDX-License-Identifier: Apache-2.0
#include <ridge/plan/cost_uncertainty.hpp>

#include <algorithm>
#include <cmath>
#include <thread>

#include <ridge/base/expects.hpp>
#include <ridge/plan/serve/counted_random.hpp>
#include <ridge/stats/quantile.hpp>

#include "cost_formulas.hpp"
#include "cost_inputs.hpp"

namespace ridge::plan {
namespace {

double total_of(const cost_question& q) { return per_mtok(all_per_hour(q), good_rate(q)); }

double total_with(const cost_question& q, const cost_input& input, double value) {
  auto moved = q;
  input.set(moved, value);
  return total_of(moved);
}

// A draw from the triangular distribution over [1 - w, 1 + w] with mode 1, by its inverse.
double triangle(double uniform, double w) {
  return uniform < 0.5 ? 1 + w * (std::sqrt(2 * uniform) - 1) : 1 + w * (1 - std::sqrt(2 * (1 - uniform)));
}

double drawn_total(const cost_question& q, std::uint64_t seed, std::uint64_t draw) {
  auto drawn = q;
  std::uint64_t purpose = 0;
  for (const auto& in : cost_inputs()) {
    ++purpose;
    const double value = in.get(q);
    if (value == 0) continue;
    const double factor = triangle(serve::random_uniform(seed, draw, purpose), half_width(q, in));
    in.set(drawn, possible(in, value * factor));
  }
  return total_of(drawn);
}

}  // namespace

double sensitivity_row::swing_usd_per_mtok() const { return std::abs(high_usd_per_mtok - low_usd_per_mtok); }

std::vector<std::string> names_of_cost_inputs() {
  std::vector<std::string> names;
  for (const auto& in : cost_inputs()) names.emplace_back(in.name);
  return names;
}

std::vector<sensitivity_row> sensitivity(const cost_question& q) {
  std::vector<sensitivity_row> rows;
  for (const auto& in : cost_inputs()) {
    const double value = in.get(q), w = half_width(q, in);
    if (value == 0) continue;
    sensitivity_row row{.input = std::string(in.name), .label = std::string(in.label), .value = value};
    row.unit = in.unit;
    row.low = possible(in, value * (1 - w));
    row.high = possible(in, value * (1 + w));
    row.low_usd_per_mtok = total_with(q, in, row.low);
    row.high_usd_per_mtok = total_with(q, in, row.high);
    rows.push_back(std::move(row));
  }
  std::ranges::stable_sort(rows, std::greater<>(), &sensitivity_row::swing_usd_per_mtok);
  return rows;
}

cost_bands draw_cost_bands(const cost_question& q, std::int64_t draws, std::uint64_t seed, int threads) {
  expects(draws > 0 && threads > 0, "draw_cost_bands: no draws or no threads");
  std::vector<double> totals(static_cast<std::size_t>(draws));
  const auto part = [&](std::size_t first) {
    for (auto i = first; i < totals.size(); i += static_cast<std::size_t>(threads))
      totals[i] = drawn_total(q, seed, i);
  };
  {
    std::vector<std::jthread> others;
    for (int t = 1; t < threads; ++t) others.emplace_back(part, static_cast<std::size_t>(t));
    part(0);
  }
  std::ranges::sort(totals);
  const auto at = [&](double quantile) { return stats::sorted_quantile(totals, quantile); };
  return {draws, at(0.05), at(0.5), at(0.95)};
}

}  // namespace ridge::plan
