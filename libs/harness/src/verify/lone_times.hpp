// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

namespace ridge::harness {

// What a round says of one variant: the seconds of its first sample and of the last one, which follows at
// once, as its process states them, and of both as the process that asked for them has waited.
struct lone_times {
  double first_s = 0;
  double last_s = 0;     // 0: there is one sample
  double outside_s = 0;  // with the switch to the variant's process and back
};

// Whether a process can have read these, of one sample or of two: finite and above zero.
[[nodiscard]] bool are_possible(const lone_times& stated, bool two_samples);

// Seconds of a sample by round, of a variant whose rounds are `times`, beside those of the first variant.
// What that one takes more for its first sample than for its last is the price of not having been called for
// a while: every variant may take as much for its first sample. The longer of the two counts, for a process
// could move time from one to the other. It could state less than both took: what was waited for beside them,
// more than one and a half times what that is for the first variant and 5 us, is shared out to both. It could
// state more: what was not waited for does not count.
[[nodiscard]] std::vector<double> sample_seconds(std::span<const lone_times> times,
                                                 std::span<const lone_times> of_first);

}  // namespace ridge::harness
