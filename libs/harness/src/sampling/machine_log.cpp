// SPDX-License-Identifier: Apache-2.0
#include "sampling/machine_log.hpp"

#include <utility>

#include <ridge/harness/session.hpp>

namespace ridge::harness {
namespace {

constexpr double gpu_read_every_s = 0.05;

}  // namespace

void machine_log::begin_round() {
  if (interference_) interference_->start();
}

measure::interference machine_log::end_round() {
  read_gpu();
  if (!interference_) return {};
  const auto seen = interference_->stop();
  add(seen);
  return seen;
}

void machine_log::read_gpu() {
  if (!gpu_ || monotonic_seconds() - gpu_read_s_ < gpu_read_every_s) return;
  if (auto state = gpu_->read()) gpu_states_.push_back(std::move(*state));
  gpu_read_s_ = monotonic_seconds();
}

void machine_log::add(const measure::interference& seen) {
  total_.wall_s += seen.wall_s;
  total_.involuntary_switches += seen.involuntary_switches;
  total_.voluntary_switches += seen.voluntary_switches;
  total_.steal_s += seen.steal_s;
  total_.throttled_periods += seen.throttled_periods;
  total_.minor_faults += seen.minor_faults;
  total_.major_faults += seen.major_faults;
  total_.migrated = total_.migrated || seen.migrated;
}

void machine_log::restart() {
  gpu_states_.clear();
  total_ = {};
}

}  // namespace ridge::harness
