// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include <ridge/base/units.hpp>
#include <ridge/report/run_charts.hpp>
#include <ridge/report/words.hpp>
#include <ridge/stats/quantile.hpp>

#include "chart_axes.hpp"

namespace ridge::report {
namespace {

constexpr std::size_t most_steps = 120, density_steps = 48;

// The ascending samples of one variant.
struct sample_set {
  std::string variant{};
  std::size_t key = 0;
  std::vector<double> sorted{};
};

std::vector<sample_set> samples_of(const model::family& family) {
  const auto metric = primary_metric(family).name;
  std::vector<sample_set> all;
  for (std::size_t i = 0; i < family.measurements.size(); ++i) {
    const auto& m = family.measurements[i];
    sample_set set{.variant = m.variant, .key = i};
    for (const auto& s : m.samples) {
      if (s.metric.name != metric) continue;
      std::ranges::copy_if(s.value, std::back_inserter(set.sorted),
                           [](double v) { return std::isfinite(v); });
    }
    std::ranges::sort(set.sorted);
    if (!set.sorted.empty()) all.push_back(std::move(set));
  }
  return all;
}

std::string title_of(const model::family& family, std::string_view kind) {
  return fmt::format("{}: {}", family.experiment, kind);
}

std::string problem_line(const model::family& family) {
  const auto problem = model::text(family.problem);
  return fmt::format("{}{}{}", name(family.backend), problem.empty() ? "" : " · ", problem);
}

std::size_t greatest_count(const std::vector<sample_set>& all) {
  std::size_t most = 0;
  for (const auto& set : all) most = std::max(most, set.sorted.size());
  return most;
}

chart_series steps_of(const sample_set& set) {
  chart_series s{.name = set.variant, .mark = chart_mark::steps, .key = set.key};
  const auto n = set.sorted.size();
  const auto steps = std::min(n, most_steps);
  s.points.push_back({set.sorted.front(), 0});
  for (std::size_t i = 1; i <= steps; ++i) {
    const auto rank = (i * n) / steps;  // of the last sample that is not above the value
    s.points.push_back({set.sorted[rank - 1], static_cast<double>(rank) / static_cast<double>(n)});
  }
  return s;
}

// The density of samples in units of the axis: of their logarithms where it is logarithmic.
class kernel_density {
 public:
  kernel_density(const std::vector<double>& sorted, bool logarithmic) : logarithmic_(logarithmic) {
    for (const double v : sorted) places_.push_back(placed(v));
    double mean = 0, squares = 0;
    for (const double p : places_) mean += p;
    mean /= static_cast<double>(places_.size());
    for (const double p : places_) squares += (p - mean) * (p - mean);
    const double deviation = std::sqrt(squares / static_cast<double>(places_.size()));
    const double quartiles = stats::sorted_quantile(places_, 0.75) - stats::sorted_quantile(places_, 0.25);
    const double spread = quartiles > 0 ? std::min(deviation, quartiles / 1.34) : deviation;
    width_ = 0.9 * spread * std::pow(static_cast<double>(places_.size()), -0.2);
    if (width_ <= 0) width_ = std::max(std::fabs(mean) * 1e-3, 1e-12);
  }

  [[nodiscard]] double place(double share) const {
    const double first = places_.front() - 2 * width_, last = places_.back() + 2 * width_;
    return first + share * (last - first);
  }
  [[nodiscard]] double value(double place) const { return logarithmic_ ? std::exp(place) : place; }
  // Not normalized: a violin is as wide as its own greatest density.
  [[nodiscard]] double at(double place) const {
    double sum = 0;
    for (const double p : places_) sum += std::exp(-0.5 * (place - p) * (place - p) / (width_ * width_));
    return sum;
  }

 private:
  [[nodiscard]] double placed(double value) const { return logarithmic_ ? std::log(value) : value; }
  bool logarithmic_;
  std::vector<double> places_{};
  double width_ = 0;
};

chart_series violin_of(const sample_set& set, double middle, bool logarithmic) {
  constexpr double half_width = 0.4;
  const kernel_density density(set.sorted, logarithmic);
  std::vector<std::pair<double, double>> sides;  // value, density
  double greatest = 0;
  for (std::size_t i = 0; i <= density_steps; ++i) {
    const double place = density.place(static_cast<double>(i) / density_steps);
    sides.emplace_back(density.value(place), density.at(place));
    greatest = std::max(greatest, sides.back().second);
  }
  chart_series s{.mark = chart_mark::outline, .key = set.key};
  for (const auto& [value, height] : sides)
    s.points.push_back({middle - half_width * height / greatest, value});
  for (auto at = sides.rbegin(); at != sides.rend(); ++at)
    s.points.push_back({middle + half_width * at->second / greatest, at->first});
  return s;
}

chart_series median_of(const sample_set& set, double middle, std::string_view unit) {
  const double median = stats::sorted_quantile(set.sorted, 0.5);
  const double low = stats::sorted_quantile(set.sorted, 0.25),
               high = stats::sorted_quantile(set.sorted, 0.75);
  return {.name = set.variant,
          .mark = chart_mark::points,
          .points = {{middle, median,
                      fmt::format("{}: median {}, half of the samples from {} to {}", set.variant,
                                  format_quantity(median, unit), format_quantity(low, unit),
                                  format_quantity(high, unit))}},
          .low = {low},
          .high = {high},
          .key = set.key};
}

}  // namespace

chart ecdf_chart(const model::family& family) {
  const auto all = samples_of(family);
  const auto metric = primary_metric(family);
  chart c{
      .title = title_of(family, "distribution of samples"),
      .subtitle = fmt::format("{} · up to {} samples a variant", problem_line(family), greatest_count(all)),
      .y = {.label = "share of the samples that are not above, %", .unit = "1"}};
  std::vector<chart_series> of_values;  // with the values upwards, as value_axis reads them
  for (const auto& set : all) {
    c.series.push_back(steps_of(set));
    of_values.push_back({.points = {{0, set.sorted.front()}, {0, set.sorted.back()}}});
  }
  c.x = value_axis(metric, of_values);
  return c;
}

chart violin_chart(const model::family& family) {
  const auto all = samples_of(family);
  const auto metric = primary_metric(family);
  chart c{.title = title_of(family, "samples of each variant"),
          .subtitle = fmt::format("{} · width: density of the samples; mark: median; bar: the middle half",
                                  problem_line(family)),
          .x = {.label = "variant"}};
  std::vector<chart_series> of_values;
  for (const auto& set : all)
    of_values.push_back({.points = {{0, set.sorted.front()}, {0, set.sorted.back()}}});
  c.y = value_axis(metric, of_values);
  const bool logarithmic = c.y.scale == chart_scale::logarithmic;
  for (std::size_t i = 0; i < all.size(); ++i) {
    c.x.categories.push_back(all[i].variant);
    c.series.push_back(violin_of(all[i], static_cast<double>(i), logarithmic));
    c.series.push_back(median_of(all[i], static_cast<double>(i), metric.unit));
  }
  return c;
}

}  // namespace ridge::report
