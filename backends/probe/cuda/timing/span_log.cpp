// SPDX-License-Identifier: Apache-2.0
#include "timing/span_log.hpp"

#include <algorithm>

#include <ridge/gpu/check.hpp>

namespace ridge::backends::probe_cuda {
namespace {

constexpr std::int64_t least_ticks = 500;

}  // namespace

double median_clock(std::span<const block_span> spans, std::int64_t tick_ns) {
  std::int64_t longest = 0;
  for (const auto& s : spans) longest = std::max(longest, s.nanoseconds);
  const auto least = std::max(least_ticks * tick_ns, longest / 10 * 9);
  std::vector<double> clocks;
  for (const auto& s : spans) {
    if (s.cycles > 0 && s.nanoseconds >= least)
      clocks.push_back(1e9 * static_cast<double>(s.cycles) / static_cast<double>(s.nanoseconds));
  }
  if (clocks.empty()) return 0;
  const auto middle = clocks.begin() + static_cast<std::ptrdiff_t>(clocks.size() / 2);
  std::ranges::nth_element(clocks, middle);
  return *middle;
}

block_span* span_log::spans() {
  if (memory_.bytes() == 0) memory_ = gpu::device_memory(span_capacity * sizeof(block_span));
  return memory_.as<block_span>();
}

void span_log::clear() {
  gpu::check(cudaMemset(spans(), 0, span_capacity * sizeof(block_span)), "cudaMemset of the probe's spans");
}

std::vector<block_span> span_log::read() {
  std::vector<block_span> seen(span_capacity);
  gpu::check(cudaMemcpy(seen.data(), spans(), std::span(seen).size_bytes(), cudaMemcpyDeviceToHost),
             "cudaMemcpy of the probe's spans");
  return seen;
}

bool span_log::written() {
  return std::ranges::any_of(read(), [](const block_span& s) { return s.cycles > 0; });
}

double span_log::clock_hz() {
  if (tick_ns_ == 0) tick_ns_ = common_clock_tick();
  return median_clock(read(), tick_ns_);
}

}  // namespace ridge::backends::probe_cuda
