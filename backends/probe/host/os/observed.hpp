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

// Times of one operation in seconds; each is one observation or the mean of a few.
struct observed {
  std::vector<double> calm{};  // observations during which nothing interfered
  std::vector<double> all{};   // all observations
};

struct pace {
  double time_s = 0;
  std::size_t least = 20, most = 20'000;  // observations
};

// Whether the operation itself gives the CPU away. no: everything that takes the CPU away disturbs. yes: only
// moving the thread, or time stolen by the host, disturbs.
enum class gives_way : bool { no, yes };

// Calls once(), which takes one observation, until the time is over (three times that while fewer than
// `least` were taken), and at least six times. An observation is calm where its group, of half a millisecond,
// was.
[[nodiscard]] observed observe(const measure::clock& clock, pace pace, gives_way waiting,
                               const std::function<double()>& once);

// Calls that take much less than the clock does: times(n) makes n of them, with n so large that the cost of
// the clock is under 2 %. The number is kept in `each`.
struct batch {
  void (*times)(int n);
  int each = 1;
};
[[nodiscard]] observed observe_calls(const measure::clock& clock, pace pace, gives_way waiting, batch& calls);

// Returns a row whose value is the median of the calm observations (of all where fewer than six are calm,
// which is marked) with its interval; the series has p50, p90, p99, p99.9 and max of all, as far as there are
// enough observations to distinguish one from the next.
[[nodiscard]] model::ceiling row_of_times(std::string id, std::string title, const observed& times,
                                          std::string variant);

// Returns the seconds that one row of the system probes may take.
[[nodiscard]] double time_of_row(probe::depth depth);

}  // namespace ridge::backends::probe_host
