// SPDX-License-Identifier: Apache-2.0
#include <ridge/host/cpu_time.hpp>

#include <ctime>
#include <limits>

namespace ridge::host {
namespace {

// Readings of this thread's clock on both sides of the other one that are as close are not interrupted.
constexpr double close_s = 1e-6;

double clock_s(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

}  // namespace

double cpu_of_other_threads_s() {
  double closest = std::numeric_limits<double>::infinity(), others = 0;
  for (int tries = 0; tries < 4 && closest > close_s; ++tries) {
    const double before = clock_s(CLOCK_THREAD_CPUTIME_ID);
    const double all = clock_s(CLOCK_PROCESS_CPUTIME_ID);
    const double after = clock_s(CLOCK_THREAD_CPUTIME_ID);
    if (after - before >= closest) continue;
    closest = after - before;
    others = all - (before + after) / 2;
  }
  return others;
}

double cpu_of_this_thread_s() { return clock_s(CLOCK_THREAD_CPUTIME_ID); }

}  // namespace ridge::host
