// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <ridge/model/run.hpp>
#include <ridge/report/table.hpp>

namespace ridge::report {

// What stands under a family's table; each is empty where there is nothing to say.

// Comparisons that the table's own ratios do not show: libraries, steps of the ladder, further metrics.
[[nodiscard]] std::string further_comparisons(const model::run& run, const model::family& family,
                                              const layout& layout);

// Times in further modes, with their ratios to the baseline's.
[[nodiscard]] std::string modes(const model::run& run, const model::family& family, const layout& layout);
[[nodiscard]] std::string phases(const model::family& family, const layout& layout);
[[nodiscard]] std::string quantiles(const model::family& family, const layout& layout);

// What each variant ran on the GPU; only for the profile that looks deep.
[[nodiscard]] std::string kernels(const model::run& run, const model::family& family, const layout& layout);

// Noise floor, assurance, effort, and every check that did not pass.
[[nodiscard]] std::string trust(const model::family& family, const layout& layout);

}  // namespace ridge::report
