// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <ridge/base/interval.hpp>
#include <ridge/model/comparison_row.hpp>
#include <ridge/report/tone.hpp>

// How a result is put into words; every command that prints one uses these.
namespace ridge::report {

// Returns "412 µs ±0.6 %": the median and the farther end of its interval; shares, zero and negative medians
// show both ends instead. Returns "-" where nothing was seen.
[[nodiscard]] std::string with_interval(double median, interval ci, std::string_view unit);

// Returns "1.783× [1.779, 1.788]", to the digit that the interval justifies; "2.05× exact" where the interval
// has no width; "-" where the ratio is unknown.
[[nodiscard]] std::string ratio_with_interval(double ratio, interval ci);

// Returns the title of a column of ratios: "ratio [95 %]".
[[nodiscard]] std::string interval_title(const model::run& run);

// Returns "BETTER", "BETTER: claimed by the variants", "WORSE: 2.10× slower", "INCONCLUSIVE: between 0.64×
// and 1.72×" or "INVALID: faster than the measured ceiling: check": words follow only where they say more
// than the ratio. A comparison that is not judged has no verdict.
[[nodiscard]] std::string verdict_in_words(const model::comparison& c, double min_effect);
// Returns the tone in which a verdict is shown.
[[nodiscard]] tone tone_of(model::verdict v);

// Returns a share with about two digits, without its sign: "120 %", "12 %", "3.4 %", "0.56 %".
[[nodiscard]] std::string percent_in_words(double share);

// Returns "±0.12 %": the noise floor, which is how far from 1 the ratio of the baseline to itself was found.
[[nodiscard]] std::string noise_in_words(interval aa);

// Returns "2 of 3 (verified, audited, within ceilings)".
[[nodiscard]] std::string assurance_in_words(int assurance);

// Returns "82 % memory": the share of the limiting ceiling and what limits; empty when neither is known.
[[nodiscard]] std::string ceiling_in_words(const model::measurement& m);

// Returns what an interval alone shows: "faster", "larger", "equal"; "no clear difference" where it
// contains 1.
[[nodiscard]] std::string direction_in_words(const model::comparison& c);

// Returns the variant that others are measured against: the first baseline, else the reference of the first
// comparison.
[[nodiscard]] std::string baseline_of(const model::family& f);

// Returns the metric that decides: that of the first comparison, else the first one measured.
[[nodiscard]] model::metric primary_metric(const model::family& f);

// Returns the title of a metric: "time", "goodput (simulated)".
[[nodiscard]] std::string metric_title(const model::metric& m);

// Returns the phases in which any variant spent time, in order of first appearance.
[[nodiscard]] std::vector<std::string> phase_names(const model::family& family);

// Returns whether this is the time in a further mode: "time (graph)", or "latency" beside another metric that
// decides.
[[nodiscard]] bool is_of_a_mode(const model::family& f, const model::metric& m);

// Returns whether a table of further metrics shows it: it shows neither modes, which have a table of their
// own, nor cycles, which belong to a check.
[[nodiscard]] bool is_shown_beside(const model::family& f, const model::metric& m);

// Returns the comparison of these two variants in this metric, a judged one before any other; null when there
// is none.
[[nodiscard]] const model::comparison* find_comparison(const model::family& f, std::string_view reference,
                                                       std::string_view candidate, std::string_view metric);

}  // namespace ridge::report
