// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include <ridge/harness/session.hpp>

#include "summary/summarise.hpp"

namespace ridge::harness {

// The larger of the errors relative to the oracle that verification and the timed results of the arm show.
[[nodiscard]] double larger_relative_error(const model::measurement& verified, const timed_error& timed);

// A value of an arm that is known only after the session, and what it may be too small by.
struct restated {
  double value = 0;
  double overlooked = 0;
};

// Puts such values into every sample and comparison of the metrics that are read so: what is compared is what
// was timed. `min_effect` is the smallest relative effect that matters. These metrics have one value for all
// samples of an arm, and lower is better; the interval of a ratio comes from what may have been overlooked.
void restate(session_record& record, const std::vector<metric>& metrics, reading read,
             const std::vector<restated>& arms, double min_effect);

// Returns the error of an arm's timed calls that is judged: the median, of an even number of calls the lower
// of both middle ones. Where a function jumps, as at the kink of a rectifier, single results of right code
// are far off; so nothing is returned for fewer than two calls.
[[nodiscard]] std::optional<double> typical_error(std::vector<double> of_calls);

// Fails where an arm of the pairing is less accurate when it is timed than when it is verified.
[[nodiscard]] model::check error_check(const pairing_result& r, const model::family& f,
                                       const family_evidence& e);

}  // namespace ridge::harness
