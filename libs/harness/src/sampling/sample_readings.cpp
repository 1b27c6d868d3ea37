// SPDX-License-Identifier: Apache-2.0
#include "sampling/sample_readings.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include <ridge/stats/quantile.hpp>

namespace ridge::harness {
namespace {

constexpr std::size_t observed_at_most = 1u << 20;

double quantile_of_seen(std::span<const double> seen, double q) {
  if (seen.empty()) return std::numeric_limits<double>::quiet_NaN();
  std::vector<double> sorted(seen.begin(), seen.end());
  std::ranges::sort(sorted);
  return stats::sorted_quantile(sorted, q);
}

}  // namespace

sample_readings::sample_readings(const experiment::definition& definition, const problem& point,
                                 std::vector<metric> metrics)
    : definition_(definition), work_(definition.work(point)), metrics_(std::move(metrics)) {}

void sample_readings::add_arm() {
  arms_.push_back({.fixed = std::vector(metrics_.size(), std::numeric_limits<double>::quiet_NaN()),
                   .phases = std::vector<std::vector<double>>(definition_.phases.size()),
                   .observed = std::vector<std::vector<double>>(definition_.observed.size()),
                   .coverage = std::vector<std::vector<double>>(definition_.observed.size()),
                   .values_per_call = std::vector<std::vector<double>>(definition_.observed.size())});
}

sample sample_readings::take(std::size_t arm, const call& context, std::uint64_t calls, double seconds,
                             double hz) {
  auto& readings = arms_[arm];
  values_.clear();
  for (std::size_t m = 0; m < metrics_.size(); ++m)
    values_.push_back(read(m, readings, context, static_cast<double>(calls), seconds, hz));
  for (std::size_t phase = 0; phase < definition_.phases.size(); ++phase)
    readings.phases[phase].push_back(seconds > 0 ? context.phase_seconds(phase) / seconds : 0);
  for (std::size_t id = 0; id < definition_.observed.size(); ++id) {
    auto& all = readings.observed[id];
    const auto seen = context.observed(id);
    readings.coverage[id].push_back(seconds > 0 ? std::accumulate(seen.begin(), seen.end(), 0.0) / seconds
                                                : 0);
    readings.values_per_call[id].push_back(static_cast<double>(seen.size()) / static_cast<double>(calls));
    if (all.size() + seen.size() <= observed_at_most) all.insert(all.end(), seen.begin(), seen.end());
  }
  return {seconds, values_};
}

double sample_readings::read(std::size_t index, const arm_readings& arm, const call& context, double calls,
                             double seconds, double hz) const {
  const auto& m = metrics_[index];
  switch (m.reading) {
    case reading::time:
      return seconds / calls;
    case reading::cycles:
      return hz > 0 ? seconds * hz / calls : std::numeric_limits<double>::quiet_NaN();
    case reading::items_per_second:
      return work_.items * calls / seconds;
    case reading::flop_per_second:
      return work_.flop * calls / seconds;
    case reading::bytes_per_second:
      return work_.bytes() * calls / seconds;
    case reading::phase_share:
      return context.phase_seconds(m.id) / seconds;
    case reading::quantile:
      return quantile_of_seen(context.observed(m.id), m.q);
    case reading::peak_bytes:
    case reading::error:
    case reading::rms_error:
      break;
  }
  return arm.fixed[index];
}

void sample_readings::restart() {
  for (auto& arm : arms_) {
    arm.latencies.clear();
    for (auto& list : arm.phases) list.clear();
    for (auto* lists : {&arm.observed, &arm.coverage, &arm.values_per_call}) {
      for (auto& list : *lists) list.clear();
    }
  }
}

}  // namespace ridge::harness
