// SPDX-License-Identifier: Apache-2.0
#include <ridge/host/cpu_time.hpp>

#include <algorithm>
#include <ctime>
#include <limits>

namespace ridge::host {
namespace {

constexpr int most_tries = 4;
constexpr double beside_the_shortest = 1.5;

double clock_s(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

}  // namespace

// The process's clock is read between two readings of this thread's. Where these are hardly further apart
// than they ever were, nothing came between them.
cpu_use cpu_used_so_far() {
  thread_local double shortest_s = std::numeric_limits<double>::infinity();
  double closest_s = std::numeric_limits<double>::infinity();
  cpu_use used;
  for (int tries = 0; tries < most_tries; ++tries) {
    const double before = clock_s(CLOCK_THREAD_CPUTIME_ID);
    const double all = clock_s(CLOCK_PROCESS_CPUTIME_ID);
    const double after = clock_s(CLOCK_THREAD_CPUTIME_ID);
    const double apart_s = after - before;
    shortest_s = std::min(shortest_s, apart_s);
    if (apart_s < closest_s) {
      closest_s = apart_s;
      used = {after, all - (before + after) / 2};
    }
    if (closest_s <= beside_the_shortest * shortest_s) break;
  }
  return used;
}

}  // namespace ridge::host
