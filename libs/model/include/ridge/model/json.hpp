// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>

#include <ridge/base/result.hpp>
#include <ridge/model/catalogue.hpp>
#include <ridge/model/history.hpp>
#include <ridge/model/machine_tree.hpp>
#include <ridge/model/peak_report.hpp>
#include <ridge/model/roofline.hpp>
#include <ridge/model/run.hpp>

// JSON of what a run is; `libs/model/schema/` documents every field. Each text is one object whose first
// field is "schema": "ridge.<kind>/<version>". Numbers JSON lacks (NaN, infinities) are written as null and
// read back as NaN. Readers ignore unknown fields, give absent ones their defaults, and name the place of
// what they refuse: a JSON pointer, or line and column where the text is no JSON.
namespace ridge::model {

enum class samples : bool { left_out, kept };

// ridge.run/1, indented: comparisons flat for programs that only read results, families with everything.
[[nodiscard]] std::string to_json(const run& run, samples keep = samples::kept);
// The same for keeping: on one line, without the flat copies, samples to nine digits.
[[nodiscard]] std::string packed_json(run run);
[[nodiscard]] result<run> run_from_json(std::string_view text);

// ridge.comparison/1 on one line, without its newline. `meta` gives the run's id, time and machine.
[[nodiscard]] std::string comparison_json(const run& meta, const family& family,
                                          const comparison& comparison);

// ridge.catalogue/1
[[nodiscard]] std::string catalogue_json(std::span<const experiment_description> experiments);

// ridge.history/1: comparisons in the order given, and what the store holds in all.
[[nodiscard]] std::string history_json(std::span<const stored_comparison> comparisons, const holdings& held);

// ridge.peak/1
[[nodiscard]] std::string peak_json(const peak& peak);
[[nodiscard]] result<peak> peak_from_json(std::string_view text);

// ridge.roofline/1
[[nodiscard]] std::string roofline_json(const roofline& roofline);
[[nodiscard]] result<roofline> roofline_from_json(std::string_view text);
// ridge.peak/1 too, with what it was measured on and by: peak_from_json reads the peak in it.
[[nodiscard]] std::string peak_report_json(const peak_report& report);
[[nodiscard]] result<peak_report> peak_report_from_json(std::string_view text);

// ridge.probe/1: {"machine": the root}; facts as one object by name.
[[nodiscard]] std::string probe_json(const machine_node& machine);
[[nodiscard]] result<machine_node> probe_from_json(std::string_view text);

// ridge.audit/1
[[nodiscard]] std::string audit_json(const audit& audit);
[[nodiscard]] result<audit> audit_from_json(std::string_view text);

// ridge.environment/1
[[nodiscard]] std::string environment_json(const environment& environment);
[[nodiscard]] result<environment> environment_from_json(std::string_view text);

// ridge.family/1 on one line: what stores keep, the samples beside it.
[[nodiscard]] std::string family_json(const family& family, samples keep = samples::kept);
[[nodiscard]] result<family> family_from_json(std::string_view text);

// ridge.checks/1 on one line.
[[nodiscard]] std::string checks_json(std::span<const check> checks);
[[nodiscard]] result<std::vector<check>> checks_from_json(std::string_view text);

// ridge.axes/1 on one line: {"schema": "ridge.axes/1", "axes": {...}}.
[[nodiscard]] std::string axes_json(const problem_point& point);
[[nodiscard]] result<problem_point> axes_from_json(std::string_view text);

}  // namespace ridge::model
