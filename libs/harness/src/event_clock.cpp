// SPDX-License-Identifier: Apache-2.0
#include "event_clock.hpp"

#include <algorithm>
#include <functional>
#include <vector>

#include <ridge/stats/quantile.hpp>

namespace ridge::harness {
namespace {

constexpr int pairs = 101;
constexpr int graph_pairs = 11;
constexpr int short_graph = 32, long_graph = 64;  // empty kernels
constexpr double equal_within_s = 1e-9;           // events are read as float milliseconds

// Times between two marks around what `enqueue` puts there, in ascending order; all enqueued behind one hold.
std::vector<double> times_around(device::device& where, int count, const std::function<void()>& enqueue) {
  std::vector<std::pair<device::timestamp, device::timestamp>> marks;
  where.hold();
  for (int i = 0; i < count; ++i) {
    const auto first = where.mark();
    enqueue();
    marks.emplace_back(first, where.mark());
  }
  (void)where.release();
  where.synchronize();
  std::vector<double> seconds;
  for (const auto& [first, second] : marks) seconds.push_back(where.seconds_between(first, second));
  std::ranges::sort(seconds);
  return seconds;
}

double smallest_step(const std::vector<double>& sorted) {
  double least = 0;
  for (std::size_t i = 1; i < sorted.size(); ++i) {
    const double step = sorted[i] - sorted[i - 1];
    if (step > equal_within_s && (least == 0 || step < least)) least = step;
  }
  return least;
}

// Of a graph of so many empty kernels, one after the other; 0 where it cannot be recorded.
double graph_s(device::device& where, int kernels) {
  const auto made = where.record([&where, kernels] {
    for (int i = 0; i < kernels; ++i) where.enqueue_empty_kernel();
  });
  if (!made) return 0;
  return stats::median(times_around(where, graph_pairs, [&] { (*made)->enqueue(); }));
}

}  // namespace

event_clock read_event_clock(device::device& where) {
  if (where.on_host()) return {};
  const auto empty = times_around(where, pairs, [] {});
  const double around_kernel_s =
      stats::median(times_around(where, pairs, [&] { where.enqueue_empty_kernel(); }));
  const double kernel_s =
      (graph_s(where, long_graph) - graph_s(where, short_graph)) / (long_graph - short_graph);
  event_clock seen{.empty_pair_s = stats::median(empty), .tick_s = smallest_step(empty)};
  seen.launch_s = kernel_s > 0 ? std::max(around_kernel_s - kernel_s, seen.empty_pair_s) : seen.empty_pair_s;
  return seen;
}

}  // namespace ridge::harness
