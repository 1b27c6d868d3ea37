// SPDX-License-Identifier: Apache-2.0
#include <sys/prctl.h>

#include <algorithm>
#include <ctime>

#include <ridge/base/units.hpp>
#include <ridge/host/interference_reader.hpp>

#include "os/observed.hpp"
#include "os/os_lists.hpp"

namespace ridge::backends::probe_host {
namespace {

constexpr long asked_ns = 100'000;

// Sets the timer slack of the calling thread and restores it at the end.
class timer_slack final {
 public:
  explicit timer_slack(unsigned long ns) : before_(read()) { prctl(PR_SET_TIMERSLACK, ns, 0, 0, 0); }
  ~timer_slack() { prctl(PR_SET_TIMERSLACK, static_cast<unsigned long>(before_), 0, 0, 0); }
  timer_slack(const timer_slack&) = delete;
  timer_slack& operator=(const timer_slack&) = delete;
  static int read() { return prctl(PR_GET_TIMERSLACK, 0, 0, 0, 0); }

 private:
  int before_;
};

model::ceiling overslept(const probe::request& request, const char* id) {
  const auto once = [&] {
    const timespec asked{0, asked_ns};
    const auto begin = request.clock.now();
    clock_nanosleep(CLOCK_MONOTONIC, 0, &asked, nullptr);
    return std::max(request.clock.seconds(request.clock.now() - begin) - asked_ns * 1e-9, 1e-9);
  };
  const auto found = observe(request.clock, {2 * time_of_row(request.depth)}, gives_way::yes, once);
  return row_of_times(id, "sleeping longer than asked", found,
                      "nanosleep of 100 us, timer slack " + format_quantity(timer_slack::read() * 1e-9, "s"));
}

// Returns the longest step between two consecutive readings of the clock within one window.
double longest_gap(const measure::clock& clock, double window_s) {
  std::int64_t longest = 0;
  const auto begin = clock.now();
  for (auto last = begin; clock.seconds(last - begin) < window_s;) {
    const auto now = clock.now();
    longest = std::max(longest, now - last);
    last = now;
  }
  return std::max(clock.seconds(longest), 1e-9);
}

int windows_of(probe::depth depth) {
  switch (depth) {
    case probe::depth::standard:
      return 100;
    case probe::depth::deep:
      return 500;
    default:
      return 10;
  }
}

}  // namespace

rows probe_sleep(const probe::request& request) {
  rows found{overslept(request, "os.sleep")};
  const timer_slack none(1);
  found.push_back(overslept(request, "os.sleep.tight"));
  return found;
}

rows probe_noise(const probe::request& request) {
  observed found;
  host::interference_reader reader;
  for (int i = 0; i < windows_of(request.depth); ++i) {
    const auto before = reader.read();
    found.all.push_back(longest_gap(request.clock, 10e-3));
    // A window in which another program ran is not counted as noise of the system.
    if (reader.read().involuntary_switches == before.involuntary_switches)
      found.calm.push_back(found.all.back());
  }
  return {row_of_times("os.noise", "the longest interruption within 10 ms", found,
                       "a loop over the clock, " + std::to_string(found.all.size()) + " windows")};
}

}  // namespace ridge::backends::probe_host
