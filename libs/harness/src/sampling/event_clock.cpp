// SPDX-License-Identifier: Apache-2.0
#include "sampling/event_clock.hpp"

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

// Seconds between two marks around what `enqueue` enqueues, in ascending order; all on one held queue.
std::vector<double> times_around(device::device& device, int count, const std::function<void()>& enqueue) {
  std::vector<std::pair<device::timestamp, device::timestamp>> marks;
  device.hold();
  for (int i = 0; i < count; ++i) {
    const auto first = device.mark();
    enqueue();
    marks.emplace_back(first, device.mark());
  }
  (void)device.release();
  device.synchronize();
  std::vector<double> seconds;
  for (const auto& [first, second] : marks) seconds.push_back(device.seconds_between(first, second));
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

// Seconds of a graph of so many empty kernels, one after the other; 0 where it cannot be recorded.
double graph_s(device::device& device, int kernels) {
  const auto made = device.record([&device, kernels] {
    for (int i = 0; i < kernels; ++i) device.enqueue_empty_kernel();
  });
  if (!made) return 0;
  return stats::median(times_around(device, graph_pairs, [&] { (*made)->enqueue(); }));
}

}  // namespace

event_clock read_event_clock(device::device& device) {
  const auto empty = times_around(device, pairs, [] {});
  const double around_kernel_s =
      stats::median(times_around(device, pairs, [&] { device.enqueue_empty_kernel(); }));
  const double kernel_s =
      (graph_s(device, long_graph) - graph_s(device, short_graph)) / (long_graph - short_graph);
  event_clock seen{.empty_pair_s = stats::median(empty), .tick_s = smallest_step(empty)};
  seen.launch_s = kernel_s > 0 ? std::max(around_kernel_s - kernel_s, seen.empty_pair_s) : seen.empty_pair_s;
  return seen;
}

}  // namespace ridge::harness
