// SPDX-License-Identifier: Apache-2.0
#include "state_watch.hpp"

#include <chrono>

#include <fmt/format.h>

#include <ridge/measure/gpu_summary.hpp>

namespace ridge::backends::probe_cuda {
namespace {

constexpr auto pause = std::chrono::milliseconds(5);

std::string what_held_it_down(const measure::gpu_summary& seen) {
  std::string all;
  for (const auto& [reason, share] : seen.reasons)
    all += fmt::format("{}{} in {:.0f} % of readings", all.empty() ? "" : ", ", reason, 100 * share);
  return all;
}

}  // namespace

state_watch::state_watch(measure::gpu_meter* meter) {
  if (meter) thread_ = std::thread([this, meter] { watch(*meter); });
}

state_watch::~state_watch() { stop(); }

void state_watch::watch(measure::gpu_meter& meter) {
  std::unique_lock lock(mutex_);
  while (!over_) {
    lock.unlock();
    const auto state = meter.read();
    lock.lock();
    if (state && !state->idle) seen_.push_back(*state);
    changed_.wait_for(lock, pause, [this] { return over_; });
  }
}

void state_watch::stop() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    over_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void state_watch::finish(model::ceiling& row) {
  stop();
  if (seen_.empty()) return;
  const auto seen = measure::summarize(seen_);
  if (row.clock_hz == 0 && seen.sm_clock_mhz) row.clock_hz = 1e6 * seen.sm_clock_mhz->median;
  if (seen.median_power_w) row.power_w = *seen.median_power_w;
  const auto held = what_held_it_down(seen);
  if (!held.empty()) row.note += (row.note.empty() ? "" : "; ") + held;
}

}  // namespace ridge::backends::probe_cuda
