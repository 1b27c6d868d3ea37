// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include <ridge/model/comparison.hpp>

#include "summary/summarise.hpp"

namespace ridge::harness {

// Checks of how the samples of one comparison came about, each of which makes it INVALID:
//   clock       a second clock, read beside the one that times, agrees within 2 %
//   fresh_data  at least 60 % of the gain is left where all data are new since the call before
//   alone       at least 35 % of it is left where each variant has a process of its own
//   repeats     at least half of it is left where each call has data of its own, for samples of many calls
//   mean        at least 75 % of it is left by the means of calls, which see work that is saved up
// These are shares of logarithms. All but the first look at gains in time, and at nothing else.
[[nodiscard]] std::vector<model::check> sampling_checks(const pairing_result& r, const family_evidence& e);

}  // namespace ridge::harness
