// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ridge/harness/session.hpp>

#include "summary/summarise.hpp"

namespace ridge::harness {

// The larger of the errors relative to the oracle that verification and the timed results of the arm show.
[[nodiscard]] double larger_relative_error(const model::measurement& verified, const timed_error& timed);

// Puts values that are known only after the session into every sample and comparison of the metrics that are
// read so: what is compared is what was timed. `values` holds one for each arm, `min_effect` is the smallest
// relative effect that matters. Such metrics have one value for all samples of an arm, and lower is better.
void restate(session_record& record, const std::vector<metric>& metrics, reading read,
             const std::vector<double>& values, double min_effect);

// Fails where an arm of the pairing is less accurate when it is timed than when it is verified.
[[nodiscard]] model::check error_check(const pairing_result& r, const model::family& f,
                                       const family_evidence& e);

}  // namespace ridge::harness
