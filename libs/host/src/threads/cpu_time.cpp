// SPDX-License-Identifier: Apache-2.0
#include <ridge/host/cpu_time.hpp>

#include <ctime>

namespace ridge::host {
namespace {

double clock_s(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

}  // namespace

double cpu_of_other_threads_s() {
  const double own = clock_s(CLOCK_THREAD_CPUTIME_ID);
  return clock_s(CLOCK_PROCESS_CPUTIME_ID) - own;
}

}  // namespace ridge::host
