// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include <ridge/base/result.hpp>

namespace ridge::plan::serve {

// One simulation at one rate.
struct rate_probe {
  double rate = 0;  // requests a second
  int sample = 0;   // which workload: its seed, or its part of the trace
  bool met = false;
  double goodput = 0;  // requests a second below every limit
};

struct max_rate_settings {
  double low = 0, high = 0;  // of the search; 0: found by doubling from `guess`
  double guess = 1;
  double tolerance = 0.01;   // of the rate
  int samples = 4;           // searches on workloads of their own, for the interval
  int probes_per_round = 3;  // that cut the bracket at once; fixed, so that threads change nothing
  int threads = 1;
};

struct max_rate_result {
  double rate = 0;           // the mean of the samples' greatest rates
  double low = 0, high = 0;  // its 95 % interval (Student's t over the samples)
  std::vector<double> samples{};
  std::vector<rate_probe> probes{};
  bool unbounded = false;  // even the highest rate tried met the objectives
};

// The greatest rate at which `meets` holds, taken to be monotone. `meets(rate, sample)` is called from
// several threads and must be a function of its arguments: the same requests at every rate of one sample
// (common random numbers). `stop` ends the search early with what there is.
[[nodiscard]] max_rate_result find_max_rate(const max_rate_settings& with,
                                            const std::function<rate_probe(double rate, int sample)>& meets,
                                            const std::function<bool()>& stop = {});

}  // namespace ridge::plan::serve
