// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include <ridge/base/result.hpp>

namespace ridge::plan::serve {

// One simulation at one rate.
struct rate_probe {
  double rate = 0;  // requests per second
  int sample = 0;   // index of the workload: its seed, or its part of the trace
  bool met = false;
  double goodput = 0;  // requests per second below every limit
};

// How the greatest rate is searched. Rates are requests per second.
struct max_rate_settings {
  double low = 0, high = 0;  // bounds of the search; 0: found by doubling from `guess`
  double guess = 1;
  double tolerance = 0.01;   // relative to the rate
  int samples = 4;           // searches on different workloads, for the interval
  int probes_per_round = 3;  // simultaneous rates per round; independent of `threads`
  int threads = 1;
};

// The greatest rate and all simulations behind it.
struct max_rate_result {
  double rate = 0;           // mean of the samples' greatest rates
  double low = 0, high = 0;  // its 95 % interval (Student's t over the samples)
  std::vector<double> samples{};
  std::vector<rate_probe> probes{};
  bool unbounded = false;  // even the highest rate tried met the objectives
};

// Finds the greatest rate at which `meets` says that the objectives are met; it is assumed to be monotone.
// Several threads call `meets(rate, sample)`, which must depend on its arguments alone: one sample has the
// same requests at every rate (common random numbers). When `stop` returns true, the search ends with what
// was found until then.
[[nodiscard]] max_rate_result find_max_rate(const max_rate_settings& settings,
                                            const std::function<rate_probe(double rate, int sample)>& meets,
                                            const std::function<bool()>& stop = {});

}  // namespace ridge::plan::serve
