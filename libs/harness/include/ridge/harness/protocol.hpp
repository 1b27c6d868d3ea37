// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace ridge::harness {

// The numbers of the paired protocol (docs/design/harness.md). Defaults are those of the `standard` profile.
struct protocol {
  double budget_s = 1.0;    // wall time of the rounds of one family, upkeep included
  double sample_s = 20e-6;  // shortest sample of several calls; raised to 1000 clock resolutions
  // A call that takes as long as this is a sample by itself, so that no call runs on data that the call
  // before has seen; raised to 250 clock resolutions.
  double single_call_s = 5e-6;
  double longest_sample_s = 20e-3;                         // an arm whose sample is longer runs one call
  std::uint64_t most_iterations = std::uint64_t{1} << 40;  // calls of one sample
  double min_effect = 0.01;                                // the smallest relative effect that matters
  double alpha = 0.05;                // two-sided error of the family of judged comparisons
  double target_half_width = 0.0025;  // precise enough to stop, whatever the verdict
  double clear_half_width = 0.02;     // a settled verdict is shown only with an interval at least this narrow
  double warm_up_min_s = 0.010;
  double warm_up_max_s = 0.200;
  double leave_beyond = 2.0;  // an arm settled beyond this ratio is in every eighth pair of rounds only
  std::uint64_t seed = 1;
};

}  // namespace ridge::harness
