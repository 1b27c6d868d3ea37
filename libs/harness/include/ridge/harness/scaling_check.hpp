// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include <ridge/harness/experiment.hpp>
#include <ridge/model/run.hpp>

namespace ridge::harness {

// Adds the check `scaling` to each comparison of times whose candidate was also measured at another size: on
// the same experiment and backend, with all axes but one of numbers alike and at least four times less or
// more work (FLOP, else bytes). It warns, and lowers the assurance to 1, where the candidate's time grows
// less than 1.5 times while the reference's grows more than with the root of the work, unless the variant's
// `explanation` says why. Times below 5 us, on a GPU below 50 us, are not held against others: launching and
// reading the clock bound them.
void add_scaling_checks(model::family& measured, const std::vector<model::family>& earlier,
                        const experiment& asked);

}  // namespace ridge::harness
