// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <ridge/model/run.hpp>
#include <ridge/report/table.hpp>

namespace ridge::report {

// The texts below the table of a family; each is empty where there is nothing to report.

// Returns comparisons that the ratios of the table do not show: with libraries, between steps of the ladder,
// in further metrics.
[[nodiscard]] std::string further_comparisons(const model::run& run, const model::family& family,
                                              const layout& layout);

// Returns the times in further modes, with their ratios to the baseline.
[[nodiscard]] std::string modes(const model::run& run, const model::family& family, const layout& layout);
[[nodiscard]] std::string phases(const model::family& family, const layout& layout);
[[nodiscard]] std::string quantiles(const model::family& family, const layout& layout);

// Returns the kernels that each variant ran on the GPU; only the profile `deep` records them.
[[nodiscard]] std::string kernels(const model::run& run, const model::family& family, const layout& layout);

// Returns the noise floor, assurance, effort, and every check that did not pass.
[[nodiscard]] std::string trust(const model::family& family, const layout& layout);

}  // namespace ridge::report
