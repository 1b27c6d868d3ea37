// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
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
// A backlog: so many times more requests wait than run. By Little's law they then wait so many times longer
// than they are served.
constexpr double backlog_ratio = 2;

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

// Number of requests in the system, and of those that wait for their first step, at the end of each cell of
// the window.
struct occupancy {
  std::array<std::int64_t, cells> inside{}, waiting{};
};

occupancy occupancy_of(std::span<const served_request> all, const window& w) {
  std::array<std::int64_t, cells + 1> inside{}, waiting{};
  const double width = (w.end_s - w.begin_s) / static_cast<double>(cells);
  const auto cell_of = [&](double t) -> std::size_t {
    return t <= w.begin_s ? 0 : std::min(static_cast<std::size_t>((t - w.begin_s) / width) + 1, cells);
  };
  for (const auto& r : all) {
    if (r.arrival_s > w.end_s || r.ended == outcome::rejected || r.ended == outcome::too_long) continue;
    ++inside[cell_of(r.arrival_s)], ++waiting[cell_of(r.arrival_s)];
    if (r.ended == outcome::finished && r.last_token_s <= w.end_s) --inside[cell_of(r.last_token_s)];
    // Where the first step was not recorded, the first token says that it has begun.
    const double begun_s = std::min(r.scheduled_s, r.first_token_s);
    if (begun_s <= w.end_s) --waiting[cell_of(begun_s)];
  }
  occupancy made;
  std::int64_t in = inside[0], wait = waiting[0];
  for (std::size_t c = 0; c < cells; ++c)
    made.inside[c] = in += inside[c + 1], made.waiting[c] = wait += waiting[c + 1];
  return made;
}

// Mean number of requests in the system in each batch of the window.
std::array<double, batches> batch_means(const occupancy& o) {
  constexpr std::size_t cells_per_batch = cells / batches;
  std::array<double, batches> means{};
  for (std::size_t c = 0; c < cells; ++c)
    means[c / cells_per_batch] += static_cast<double>(o.inside[c]) / static_cast<double>(cells_per_batch);
  return means;
}

double mean_of(const std::array<std::int64_t, cells>& counts) {
  return static_cast<double>(std::accumulate(counts.begin(), counts.end(), std::int64_t{0})) /
         static_cast<double>(cells);
}

std::string evidence_of(const saturation& s, const std::array<double, batches>& means,
                        double arrivals_per_s) {
  if (s.growing)
    return fmt::format(
        "of {:.3g} requests per second that come, {:.3g} more wait each second (at least {:.3g})",
        arrivals_per_s, s.queue_slope_per_s, s.lower_slope_per_s);
  if (s.backlogged)
    return fmt::format(
        "{:.4g} requests wait on average while {:.4g} run, and the queue never empties in the second half of "
        "the arrivals",
        s.mean_waiting, s.mean_running);
  return fmt::format("{:.3g} requests in the system at the end of the arrivals, {:.3g} in the middle of them",
                     means.back(), means.front());
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
  const auto counts = occupancy_of(requests, w);
  const auto means = batch_means(counts);
  std::tie(s.queue_slope_per_s, s.lower_slope_per_s) = slope_of(means, half / batches);
  s.drain_s = std::max(0.0, w.last_end_s - w.end_s);
  const double arrivals_per_s = static_cast<double>(w.arrivals) / half;
  s.mean_waiting = mean_of(counts.waiting);
  s.mean_running = mean_of(counts.inside) - s.mean_waiting;
  s.growing = s.lower_slope_per_s > least_share * arrivals_per_s;
  s.backlogged = std::ranges::min(counts.waiting) > 0 && s.mean_waiting > backlog_ratio * s.mean_running;
  s.tested = true;
  s.saturated = s.growing || s.backlogged;
  s.evidence = evidence_of(s, means, arrivals_per_s);
  return s;
}

}  // namespace ridge::plan::serve
