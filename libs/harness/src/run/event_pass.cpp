// SPDX-License-Identifier: Apache-2.0
#include "run/event_pass.hpp"

#include <algorithm>

#include <ridge/harness/session.hpp>

namespace ridge::harness {
namespace {

constexpr int counted_samples = 5;
constexpr double meter_updates = 50;  // an interval of so many updates is known within 2 %
constexpr int most_samples = 2000;

}  // namespace

bool takes_patience(const measure::energy_meter& meter) { return meter_updates * meter.resolution_s() > 1; }

call_events count_events(family_arms& arms, std::size_t arm, std::uint64_t iterations,
                         const instruments& equipment, bool patient) {
  call_events seen;
  const auto calls = static_cast<double>(iterations);
  arms.begin_round(0);
  if (equipment.counters && equipment.counters->unavailable_because().empty()) {
    for (int i = 0; i < counted_samples; ++i) {
      (void)arms.sampling().take_between(
          arm, iterations, [&] { equipment.counters->start(); }, [&] { equipment.counters->stop(); });
    }
    for (const auto& c : equipment.counters->read()) seen.counters.emplace_back(c.name, c.value / calls);
  }
  if (equipment.energy && equipment.energy->unavailable_because().empty() &&
      (patient || !takes_patience(*equipment.energy))) {
    double joules = 0, seconds = 0, before = 0;
    int samples = 0;
    for (; samples < most_samples && seconds < meter_updates * equipment.energy->resolution_s(); ++samples) {
      seconds += arms.sampling().take_between(
          arm, iterations, [&] { before = equipment.energy->joules(); },
          [&] { joules += equipment.energy->joules() - before; });
    }
    if (samples > 0) seen.energy_j = joules / (calls * samples);
  }
  (void)arms.end_round(0);
  return seen;
}

}  // namespace ridge::harness
