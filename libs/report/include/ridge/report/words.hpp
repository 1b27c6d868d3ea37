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

// "412 µs ±0.6 %": the median and the farther end of its interval; shares, zero and negative medians show
// both ends instead. "-" where nothing was seen.
[[nodiscard]] std::string with_interval(double median, interval ci, std::string_view unit);

// "1.783× [1.779, 1.788]", to the digit the interval can carry; "2.05× exact" where it has no width; "-"
// where the ratio is unknown.
[[nodiscard]] std::string ratio_with_interval(double ratio, interval ci);

// "ratio [95 %]"
[[nodiscard]] std::string interval_title(const model::run& run);

// "BETTER", "WORSE: 2.10× slower", "INCONCLUSIVE: 0.5 % slower to 30.0 % faster", "INVALID: drift": words
// only where they say more than the ratio. An unjudged comparison has no verdict.
[[nodiscard]] std::string verdict_in_words(const model::comparison& c, double min_effect);
[[nodiscard]] tone tone_of(model::verdict v);

// "±0.12 %": how far from 1 identical code came out.
[[nodiscard]] std::string noise_in_words(interval aa);

// "2 of 3 (verified, audited, within ceilings)"
[[nodiscard]] std::string assurance_in_words(int assurance);

// "82 % memory": the share of the limiting ceiling and what limits; empty when neither is known.
[[nodiscard]] std::string ceiling_in_words(const model::measurement& m);

// What an interval alone says: "faster", "larger", "equal"; "either way" where it holds 1.
[[nodiscard]] std::string direction_in_words(const model::comparison& c);

// The variant that others are measured against: the first baseline, else what the first comparison refers to.
[[nodiscard]] std::string baseline_of(const model::family& f);

// The metric that decides: that of the first comparison, else the first one measured.
[[nodiscard]] model::metric primary_metric(const model::family& f);

// "time", "goodput (simulated)"
[[nodiscard]] std::string metric_title(const model::metric& m);

// The phases that any variant spent time in, in order of first appearance.
[[nodiscard]] std::vector<std::string> phase_names(const model::family& family);

// Whether this is the time in a further mode: "time (graph)", "latency" beside another metric that decides.
[[nodiscard]] bool is_of_a_mode(const model::family& f, const model::metric& m);

// Whether a table of further metrics shows it: not the modes, which have their own, nor cycles, a check's.
[[nodiscard]] bool is_shown_beside(const model::family& f, const model::metric& m);

// The comparison of these two in this metric, or null; a judged one before any other.
[[nodiscard]] const model::comparison* find_comparison(const model::family& f, std::string_view reference,
                                                       std::string_view candidate, std::string_view metric);

}  // namespace ridge::report
