// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <ridge/model/run.hpp>
#include <ridge/report/table.hpp>

namespace ridge::report {

// What stands under a family's table; each is empty where there is nothing to say.

// Comparisons that the table's own ratios do not show: libraries, steps of the ladder, further metrics.
[[nodiscard]] std::string further_comparisons(const model::run& run, const model::family& of,
                                              const layout& in);

// Times in further modes, with their ratios to the baseline's.
[[nodiscard]] std::string modes(const model::run& run, const model::family& of, const layout& in);
[[nodiscard]] std::string phases(const model::family& of, const layout& in);
[[nodiscard]] std::string quantiles(const model::family& of, const layout& in);

// What each variant ran on the GPU; only for the profile that looks deep.
[[nodiscard]] std::string kernels(const model::run& run, const model::family& of, const layout& in);

// Noise floor, assurance, effort, and every check that did not pass.
[[nodiscard]] std::string trust(const model::family& of, const layout& in);

}  // namespace ridge::report
