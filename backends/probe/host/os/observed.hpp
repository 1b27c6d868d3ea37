// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include <ridge/measure/clock.hpp>
#include <ridge/model/ceiling.hpp>
#include <ridge/probe/prober.hpp>

namespace ridge::backends::probe_host {

// Times of one operation in seconds, each observed by itself or as the mean of a few.
struct observed {
  std::vector<double> calm{};  // while nothing came in between
  std::vector<double> all{};   // with those
};

struct pace {
  double time_s = 0;
  std::size_t least = 20, most = 20'000;  // observations
};

// no: whatever takes the CPU away disturbs. yes: the operation itself gives it away, and only a thread that
// was moved or a host that stole time disturbs.
enum class gives_way : bool { no, yes };

// once() takes one observation. Goes on until the time is over (three times that while fewer than `least`
// were taken), six at least; an observation is calm where its group, of half a millisecond, was.
[[nodiscard]] observed observe(const measure::clock& clock, pace pace, gives_way waiting,
                               const std::function<double()>& once);

// Calls that take much less than the clock does: times(n) makes n of them, n so large that the clock's own
// cost is under 2 %. The number is kept in `each`.
struct batch {
  void (*times)(int n);
  int each = 1;
};
[[nodiscard]] observed observe_calls(const measure::clock& clock, pace pace, gives_way waiting, batch& calls);

// The row's value is the median of the calm observations (of all where fewer than six are calm, and marked)
// with its interval; the series has p50, p90, p99, p99.9 and max of all, as far as they are enough to tell
// one from the next.
[[nodiscard]] model::ceiling row_of_times(std::string id, std::string title, const observed& times,
                                          std::string variant);

// Seconds that one row of the system's probes may take.
[[nodiscard]] double time_of_row(probe::depth depth);

}  // namespace ridge::backends::probe_host
