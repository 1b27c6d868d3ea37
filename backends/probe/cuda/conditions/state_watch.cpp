// SPDX-License-Identifier: Apache-2.0
#include "conditions/state_watch.hpp"

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

void put_state(model::ceiling& row, std::span<const seen_state> seen, double seconds) {
  if (seconds < least_watch_s) return;
  std::vector<measure::gpu_state> late;
  for (const auto& one : seen)
    if (one.at_s >= seconds / 2) late.push_back(one.state);
  if (late.empty()) return;
  const auto all = measure::summarize(late);
  if (row.clock_hz == 0 && all.sm_clock_mhz) row.clock_hz = 1e6 * all.sm_clock_mhz->median;
  if (all.median_power_w) row.power_w = *all.median_power_w;
  const auto held = what_held_it_down(all);
  if (!held.empty()) row.note += (row.note.empty() ? "" : "; ") + held;
}

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
    if (state && !state->idle) seen_.push_back({seconds(), *state});
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
  const double watched_s = seconds();
  stop();
  put_state(row, seen_, watched_s);
}

}  // namespace ridge::backends::probe_cuda
