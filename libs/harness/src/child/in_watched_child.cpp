// SPDX-License-Identifier: Apache-2.0
#include "child/in_watched_child.hpp"

#include <chrono>
#include <thread>

#include <fmt/format.h>

#include <ridge/harness/session.hpp>

namespace ridge::harness {
namespace {

constexpr double times_between_calls = 5;  // what the harness does between calls has no steps
constexpr auto look_pause = std::chrono::milliseconds(5);

// The limit that the child broke, in seconds; 0: it has ended by itself.
double wait_for_end(host::child_process& child, const child_limits& limits, const progress_mark& mark) {
  const double start = monotonic_seconds();
  double moved = start;
  auto steps = mark.steps.load();
  while (!child.ended()) {
    std::this_thread::sleep_for(look_pause);
    const double now = monotonic_seconds();
    if (now - start > limits.whole_s) return limits.whole_s;
    const bool begun = mark.variant.load() != progress_mark::no_variant;
    if (!begun || mark.steps.load() != steps) {
      steps = mark.steps.load();
      moved = now;
    }
    const double limit_s = (mark.runs.load() ? 1 : times_between_calls) * limits.stall_s;
    if (now - moved > limit_s) return limit_s;
  }
  return 0;
}

std::string answer_of(const std::function<std::string()>& work) {
  discard_standard_output();
  try {
    return encode(child_answer<std::string>{.value = work()});
  } catch (const std::exception& thrown) {
    return encode(child_answer<std::string>{.threw = thrown.what()});
  }
}

}  // namespace

child_result<std::string> in_watched_child(const std::function<std::string()>& work,
                                           const child_limits& limits, const progress_mark& mark) {
  host::child_process child([&] { return answer_of(work); });
  const double broken_s = wait_for_end(child, limits, mark);
  if (broken_s > 0) {
    (void)child.wait(0);
    return {.why = fmt::format("did not end within {:.0f} s", broken_s), .timed_out = true};
  }
  const auto done = child.wait();
  if (!succeeded(done.outcome) || done.output.empty()) return {.why = text_of_silent_end(done.outcome)};
  auto told = decode<child_answer<std::string>>(done.output);
  if (!told) return {.why = told.why().text()};
  return {.value = std::move(told->value), .why = std::move(told->threw)};
}

}  // namespace ridge::harness
