// SPDX-License-Identifier: Apache-2.0
#include "callback_arms.hpp"

#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include <ridge/harness/session.hpp>
#include <ridge/stats/counter_random.hpp>

namespace ridge::bench {
namespace {

constexpr std::uint64_t key_stream = 0x6b6579;

// What one sample of a body gave: its answer, and the seconds of all calls together.
struct timed_sample {
  int answer = ridge_go_on;
  double seconds = 0;
};

struct timed_body {
  std::uint64_t calls = 1;

  timed_sample operator()(const callback<ridge_call>& body) const {
    int answer = ridge_go_on;
    const double begin_s = harness::monotonic_seconds();
    for (std::uint64_t i = 0; i < calls && answer == ridge_go_on; ++i) answer = body.function(body.user);
    return {answer, harness::monotonic_seconds() - begin_s};
  }
  timed_sample operator()(const callback<ridge_loop>& body) const {
    const double begin_s = harness::monotonic_seconds();
    const int answer = body.function(body.user, calls);
    return {answer, harness::monotonic_seconds() - begin_s};
  }
  timed_sample operator()(const callback<ridge_sample>& body) const {
    double seconds = std::numeric_limits<double>::quiet_NaN();
    const int answer = body.function(body.user, calls, &seconds);
    return {answer, seconds};
  }
};

}  // namespace

callback_arms::callback_arms(const definition& definition, std::uint64_t seed)
    : definition_(definition), seed_(seed), outputs_(definition, seed) {
  outputs_.start();
}

void callback_arms::end_early() {
  if (outputs_.wrong() || warm_) return;
  throw nothing_measured("the session was stopped before anything was measured");
}

void callback_arms::obey(int answer, std::size_t arm) {
  if (answer == ridge_go_on) return;
  if (answer != ridge_stop)
    throw callback_failed(
        fmt::format("\"{}\" failed: its callback returned {}", definition_.arms[arm].name, answer));
  stopped_ = true;
  end_early();
}

// A sample whose output nobody looked at, because that was stopped, is kept: it was taken before.
void callback_arms::obey_checks() {
  if (!outputs_.was_stopped()) return;
  stopped_ = true;
  end_early();
}

void callback_arms::try_each() {
  begin_round(0);
  for (std::size_t arm = 0; arm < arms() && !ended(); ++arm) static_cast<void>(run(arm, 1));
  static_cast<void>(end_round(0));
}

void callback_arms::warmed_up() {
  warm_ = true;
  disturbance_ = {};
}

void callback_arms::begin_round(std::uint64_t) {
  if (ended()) return;
  sampled_ = 0;
  if (definition_.prepare) {
    const auto key = stats::random_bits(seed_, key_stream, keys_++);
    const int answer = definition_.prepare.function(definition_.prepare.user, key);
    if (answer == ridge_stop) {
      stopped_ = true;
      return end_early();
    }
    if (answer != ridge_go_on) throw callback_failed("the callback that prepares the inputs failed");
  }
  if (definition_.prepare || before_.wall_ns == 0)
    before_ = reader_.read();  // else the last round ended just now
}

harness::sample callback_arms::run(std::size_t arm, std::uint64_t n) {
  const auto calls = definition_.calls_per_sample > 0 ? definition_.calls_per_sample : n;
  value_ = std::numeric_limits<double>::quiet_NaN();
  if (ended()) return {.seconds = 0, .values = {&value_, 1}};
  const auto taken = std::visit(timed_body{calls}, definition_.arms[arm].body);
  obey(taken.answer, arm);
  if (stopped_) return {.seconds = 0, .values = {&value_, 1}};
  if (!(taken.seconds > 0) || !std::isfinite(taken.seconds))
    throw callback_failed(fmt::format("\"{}\" timed itself and gave {} s: a sample takes more than 0 s",
                                      definition_.arms[arm].name, taken.seconds));
  ++sampled_;
  outputs_.sampled(arm);
  obey_checks();
  value_ = taken.seconds / static_cast<double>(calls);
  return {.seconds = taken.seconds, .values = {&value_, 1}};
}

bool callback_arms::end_round(std::uint64_t) {
  if (ended()) return false;
  const auto after = reader_.read();
  const auto before = std::exchange(before_, after);
  // An arm that is settled rests in most rounds; what it computed last is not of this round.
  if (sampled_ == arms()) outputs_.round_ended();
  obey_checks();
  const long switches = after.involuntary_switches - before.involuntary_switches;
  const double steal_s = after.steal_s - before.steal_s;
  const long throttled = after.throttled_periods - before.throttled_periods;
  disturbance_.involuntary_switches += switches;
  disturbance_.steal_s += steal_s;
  disturbance_.throttled_periods += throttled;
  return switches > 0 || steal_s > 0 || throttled > 0 || after.cpu != before.cpu;
}

}  // namespace ridge::bench
