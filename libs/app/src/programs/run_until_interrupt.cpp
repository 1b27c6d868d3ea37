// SPDX-License-Identifier: Apache-2.0
#include "programs/run_until_interrupt.hpp"

#include <optional>

#include <ridge/app/interrupt.hpp>
#include <ridge/harness/session.hpp>

namespace ridge::app {
namespace {

constexpr double no_limit_s = 1e9, look_s = 0.2;

}  // namespace

host::finished_child run_until_interrupt(const host::program& start, const std::function<void()>& each_look) {
  return host::child_process(start).wait_watched(no_limit_s, look_s, [&] {
    if (each_look) each_look();
    return !interrupted();
  });
}

host::finished_child run_past_interrupt(const host::program& start) {
  std::optional<double> deadline_s;
  if (interrupted()) deadline_s = harness::monotonic_seconds() + clean_up_limit_s;
  return host::child_process(start).wait_watched(no_limit_s, look_s, [&] {
    if (!interrupted()) return true;
    const double now_s = harness::monotonic_seconds();
    if (!deadline_s) deadline_s = now_s + clean_up_limit_s;
    return now_s < *deadline_s;
  });
}

}  // namespace ridge::app
