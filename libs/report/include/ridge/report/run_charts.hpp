// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include <ridge/model/history.hpp>
#include <ridge/model/run.hpp>
#include <ridge/report/chart.hpp>

// Charts of what was measured. A variant has the same colour, shape and mark in every chart of its
// experiment.
namespace ridge::report {

// Returns a chart for each experiment, backend and value of the other axes that was measured at several
// values of an axis: the deciding metric of every variant with its interval, over the axis with the most
// values, and the time that the measured ceilings allow. Empty where no axis has two values.
[[nodiscard]] std::vector<chart> sweep_charts(const model::run& run);

// Returns the share of the samples of each variant that are not above a value of the deciding metric (the
// empirical distribution function). It has no series where no samples were kept.
[[nodiscard]] chart ecdf_chart(const model::family& family);

// Returns the density of each variant's samples as a violin with its median: Gaussian kernels by the rule of
// thumb of Silverman (1986, section 3.4.2), of logarithms where values span a decade. It has no series where
// no samples were kept.
[[nodiscard]] chart violin_chart(const model::family& family);

// Returns, for each problem, backend and machine of one experiment, a chart of the medians of every variant
// and one of the judged ratios to the reference, run by run, the oldest first.
[[nodiscard]] std::vector<chart> history_charts(std::span<const model::stored_comparison> newest_first);

}  // namespace ridge::report
