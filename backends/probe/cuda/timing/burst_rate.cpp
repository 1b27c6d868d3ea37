// SPDX-License-Identifier: Apache-2.0
#include "timing/burst_rate.hpp"

#include <algorithm>
#include <chrono>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include <ridge/stats/quantile.hpp>

#include "conditions/state_watch.hpp"
#include "timing/best_rate.hpp"
#include "timing/burst_clock.hpp"

namespace ridge::backends::probe_cuda {
namespace {

constexpr double burst_s = 2e-3, piece_s = 20e-3;

}  // namespace

model::ceiling burst_rate(model::ceiling row, const probe::request& request,
                          const std::function<double(int)>& enqueue, const burst_plan& plan) {
  burst_clock watch;
  const int rounds = watch.rounds_for(burst_s, enqueue);
  const int samples = plan.samples * (request.depth == probe::depth::deep ? 2 : 1);
  for (int i = 0; i < plan.warm_ups; ++i) (void)watch.time(enqueue, rounds);
  std::vector<double> rates, clocks;
  for (int i = 0; i < samples; ++i) {
    if (plan.clock) plan.clock->clear();
    std::this_thread::sleep_for(std::chrono::duration<double>(burst_s));
    const auto seen = watch.time(enqueue, rounds);
    rates.push_back(seen.work / seen.seconds);
    if (plan.clock) clocks.push_back(plan.clock->clock_hz());
  }
  row = with_median(std::move(row), std::move(rates));
  if (plan.clock) row.clock_hz = stats::median(clocks);
  return row;
}

model::ceiling hold_up(model::ceiling& row, const probe::request& request,
                       const std::function<double(int)>& enqueue) {
  constexpr double held_s = 0.5, rest_s = 0.15;
  burst_clock watch;
  const int rounds = watch.rounds_for(piece_s, enqueue);
  state_watch state(request.gpu_state);
  std::vector<double> late;
  for (double busy_s = 0; busy_s < held_s;) {
    const auto one = watch.time(enqueue, rounds);
    busy_s += std::max(one.seconds, 1e-3);  // bounds the loop
    if (busy_s > held_s / 2) late.push_back(one.work / one.seconds);
  }
  model::ceiling held{.unit = row.unit};
  state.finish(held);
  std::this_thread::sleep_for(std::chrono::duration<double>(rest_s));
  held = with_median(std::move(held), std::move(late));
  row.power_w = held.power_w;
  if (!held.note.empty()) row.note += (row.note.empty() ? "" : "; ") + ("without rests: " + held.note);
  row.series.push_back({fmt::format("{:g} s without rests", held_s), held.value});
  return held;
}

model::ceiling sustained_rate(model::ceiling row, const probe::request& request,
                              const std::function<double(int)>& enqueue, double seconds, span_log& clock) {
  constexpr int parts = 10;
  burst_clock watch;
  state_watch state(request.gpu_state);
  const int rounds = watch.rounds_for(piece_s, enqueue);
  std::vector<double> late, clocks;
  for (int part = 1; part <= parts; ++part) {
    burst all;
    clock.clear();
    while (all.seconds < seconds / parts) {
      const auto one = watch.time(enqueue, rounds);
      all.seconds += std::max(one.seconds, 1e-3);  // bounds the loop
      all.work += one.work;
      if (part > parts / 2) late.push_back(one.work / one.seconds);
    }
    clocks.push_back(clock.clock_hz());
    row.series.push_back({fmt::format("{:g} s", part * seconds / parts), all.work / all.seconds});
  }
  row = with_median(std::move(row), std::move(late));
  row.clock_hz = clocks.back();
  state.finish(row);
  row.note += fmt::format("{}{:.0f} MHz in the first tenth, {:.0f} MHz in the last",
                          row.note.empty() ? "" : "; ", clocks.front() / 1e6, clocks.back() / 1e6);
  return row;
}

model::ceiling as_latency(model::ceiling rate) {
  if (rate.value <= 0) return rate;
  if (rate.clock_hz > 0)
    rate.note += fmt::format("{}{:.1f} cycles", rate.note.empty() ? "" : "; ", rate.clock_hz / rate.value);
  rate.unit = "s";
  rate.value = 1 / rate.value;
  rate.ci = {1 / rate.ci.hi, 1 / rate.ci.lo};
  for (auto& point : rate.series) point.value = point.value > 0 ? 1 / point.value : 0;
  return rate;
}

}  // namespace ridge::backends::probe_cuda
