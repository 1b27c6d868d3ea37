// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <exception>
#include <string>
#include <vector>

#include <ridge/harness/instruments.hpp>
#include <ridge/harness/plan.hpp>
#include <ridge/model/run.hpp>

namespace ridge::harness {

// The family before anything runs: the work, one measurement per variant of the backend with the facts known
// beforehand, and why a variant is skipped on this device. `variants` receives the index in the definition of
// each measurement.
[[nodiscard]] model::family frame_of(const planned_family& family, const instruments& equipment,
                                     const run_options& options, std::vector<std::size_t>& variants);

// What the problems of one experiment on one backend share: "cpu ch01.coalescing".
[[nodiscard]] std::string experiment_key(const planned_family& family);

// A family without results: only its name and the reason, with a check of it as a whole: `capacity`, skipped,
// where memory does not suffice, else `harness`, failed.
[[nodiscard]] model::family family_without_results(
    const planned_family& family, const std::string& why,
    model::failure_kind failure = model::failure_kind::crashed);
// The same from the exception that ended it.
[[nodiscard]] model::family family_without_results(const planned_family& family,
                                                   const std::exception& thrown);

}  // namespace ridge::harness
