// SPDX-License-Identifier: Apache-2.0
#include <ridge/harness/call.hpp>

#include <cmath>

namespace ridge {

moment moment::after(double seconds) const {
  return {ticks_ + static_cast<std::uint64_t>(std::llround(seconds / seconds_per_tick_)), seconds_per_tick_,
          true};
}

call::call(tick_source clock, host::team* team, int threads, stream queue, int gpus)
    : clock_(clock), team_(team), threads_(threads), queue_(queue), gpus_(gpus) {}

host::team& call::team() const {
  expects(team_ != nullptr, "call: this variant declares one thread; set .threads to use a team");
  return *team_;
}

void call::observe(std::size_t id, moment from, moment to) {
  expects(id < max_observed, "call: too many kinds of observed values");
  expects(!to.shifted_ && from.ticks_ <= to.ticks_,
          "call: an observed duration was made up, not read from the clock");
  const auto ticks = static_cast<double>(to.ticks_) - static_cast<double>(from.ticks_);
  observed_[id].push_back(ticks * clock_.seconds_per_tick);
}

void call::clear() {
  for (auto& list : observed_) list.clear();
  spent_.fill(0);
  depth_ = 0;
}

double call::phase_seconds(std::size_t id) const {
  return static_cast<double>(spent_[id]) * clock_.seconds_per_tick;
}

void call::enter(std::size_t id) {
  expects(id < max_phases && depth_ < max_phases, "call: too many phases");
  const auto now = clock_.now();
  if (depth_ > 0) spent_[open_[depth_ - 1]] += now - since_;
  open_[depth_++] = id;
  since_ = now;
}

void call::leave() {
  const auto now = clock_.now();
  spent_[open_[--depth_]] += now - since_;
  since_ = now;
}

}  // namespace ridge
