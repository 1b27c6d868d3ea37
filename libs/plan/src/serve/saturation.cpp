// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <ridge/plan/serve/summary.hpp>

namespace ridge::plan::serve {
namespace {

constexpr std::size_t cells = 256,
                      batches = 8;  // in the second half of the arrivals; 32 cells per batch
// Student's t of 6 degrees of freedom, one-sided 97.5 %.
constexpr double t_of_batches = 2.4469;
// Growth by less than this share of the arrival rate may be chance, or a trend of the load itself.
constexpr double least_share = 0.02;

struct window {
  double begin_s = 0, end_s = 0, last_end_s = 0;
  std::int64_t arrivals = 0;  // arrivals in the window
};

window window_of(std::span<const served_request> all) {
  double first = never_s, last = -never_s, end = 0;
  for (const auto& r : all) {
    if (r.arrival_s == never_s) continue;
    first = std::min(first, r.arrival_s);
    last = std::max(last, r.arrival_s);
    if (r.ended == outcome::finished) end = std::max(end, r.last_token_s);
  }
  if (!(last > first)) return {};
  window w{.begin_s = (first + last) / 2, .end_s = last, .last_end_s = end};
  for (const auto& r : all) w.arrivals += r.arrival_s >= w.begin_s && r.arrival_s <= last ? 1 : 0;
  return w;
}

// Mean number of requests in the system in each batch of the window.
std::array<double, batches> batch_means(std::span<const served_request> all, const window& w) {
  std::array<std::int64_t, cells + 1> change{};
  const double width = (w.end_s - w.begin_s) / static_cast<double>(cells);
  const auto cell_of = [&](double t) -> std::size_t {
    return t <= w.begin_s ? 0 : std::min(static_cast<std::size_t>((t - w.begin_s) / width) + 1, cells);
  };
  for (const auto& r : all) {
    if (r.arrival_s > w.end_s || r.ended == outcome::rejected || r.ended == outcome::too_long) continue;
    ++change[cell_of(r.arrival_s)];
    if (r.ended == outcome::finished && r.last_token_s <= w.end_s) --change[cell_of(r.last_token_s)];
  }
  constexpr std::size_t cells_per_batch = cells / batches;
  std::array<double, batches> means{};
  std::int64_t inside = change[0];
  for (std::size_t c = 0; c < cells; ++c) {
    inside += change[c + 1];
    means[c / cells_per_batch] += static_cast<double>(inside) / static_cast<double>(cells_per_batch);
  }
  return means;
}

// Slope of the batch means over time and the lower end of its 95 % interval.
std::pair<double, double> slope_of(const std::array<double, batches>& means, double batch_s) {
  double mean_x = 0, mean_y = 0;
  for (std::size_t i = 0; i < batches; ++i)
    mean_x += static_cast<double>(i) / batches, mean_y += means[i] / batches;
  double xx = 0, xy = 0;
  for (std::size_t i = 0; i < batches; ++i) {
    const double x = static_cast<double>(i) - mean_x;
    xx += x * x, xy += x * (means[i] - mean_y);
  }
  const double slope = xy / xx;
  double residual = 0;
  for (std::size_t i = 0; i < batches; ++i)
    residual += std::pow(means[i] - mean_y - slope * (static_cast<double>(i) - mean_x), 2);
  const double error = std::sqrt(residual / (batches - 2) / xx);
  return {slope / batch_s, (slope - t_of_batches * error) / batch_s};
}

}  // namespace

saturation saturation_of(std::span<const served_request> requests) {
  saturation s;
  const auto w = window_of(requests);
  if (w.arrivals < static_cast<std::int64_t>(4 * batches)) {
    s.evidence = w.end_s > w.begin_s ? "too few requests to tell" : "all requests came at once";
    return s;
  }
  const double half = w.end_s - w.begin_s;
  const auto means = batch_means(requests, w);
  std::tie(s.queue_slope_per_s, s.lower_slope_per_s) = slope_of(means, half / batches);
  s.drain_s = std::max(0.0, w.last_end_s - w.end_s);
  const double arrivals_per_s = static_cast<double>(w.arrivals) / half;
  s.saturated = s.lower_slope_per_s > least_share * arrivals_per_s;
  s.evidence =
      s.saturated
          ? fmt::format(
                "of {:.3g} requests per second that come, {:.3g} more wait each second (at least {:.3g})",
                arrivals_per_s, s.queue_slope_per_s, s.lower_slope_per_s)
          : fmt::format(
                "{:.3g} requests in the system at the end of the arrivals, {:.3g} in the middle of them",
                means.back(), means.front());
  return s;
}

}  // namespace ridge::plan::serve
