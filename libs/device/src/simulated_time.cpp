// SPDX-License-Identifier: Apache-2.0
#include <ridge/device/simulated_time.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

#include <ridge/base/expects.hpp>
#include <ridge/device/generate.hpp>

namespace ridge::device {
namespace {

constexpr double clock_reading_s = 8e-6;

}  // namespace

simulated_time::simulated_time(simulated_behaviour behaviour) : behaviour_(std::move(behaviour)) {
  expects(behaviour_.tick_seconds > 0 && behaviour_.drift > -1 && behaviour_.jitter >= 0,
          "simulated: a clock that runs forward");
}

double simulated_time::speed_at(double seconds) const {
  return behaviour_.speed ? behaviour_.speed(seconds) : 1.0;
}

void simulated_time::advance(double seconds, double& queue_seconds) {
  expects(seconds >= 0, "simulated: time passes forward");
  if (stopped_) return;
  const double share = behaviour_.jitter * word_at(behaviour_.seed, draws_++) * 0x1p-32;
  const double speed = speed_at(queue_seconds);
  expects(speed > 0, "simulated: work goes on at some speed");
  queue_seconds += seconds * (1 + share) / speed;
}

void simulated_time::wait_until(double seconds) { seconds_ = std::max(seconds_, seconds); }

timestamp simulated_time::mark() {
  const auto ticks =
      static_cast<std::uint64_t>(std::floor(seconds_ * (1 + behaviour_.drift) / behaviour_.tick_seconds));
  seconds_ += behaviour_.mark_seconds;
  return {ticks};
}

double simulated_time::seconds_between(timestamp start, timestamp end) const {
  return static_cast<double>(static_cast<std::int64_t>(end.ticks - start.ticks)) * behaviour_.tick_seconds;
}

clock_reading simulated_time::read_clocks() {
  const auto now_ns = [&] { return static_cast<std::uint64_t>(std::llround(seconds_ * 1e9)); };
  const auto begin = now_ns();
  const double speed = speed_at(seconds_);
  seconds_ += clock_reading_s;
  return {behaviour_.hz * speed, begin, now_ns()};
}

}  // namespace ridge::device
