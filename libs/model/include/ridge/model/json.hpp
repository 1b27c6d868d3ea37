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

// JSON of runs and their parts; `libs/model/schema/` documents every field. Each text is one object whose
// first field is "schema": "ridge.<kind>/<version>". Numbers that JSON lacks (NaN, infinities) are written as
// null and read back as NaN. Readers ignore unknown fields, give absent ones their defaults, and name the
// place of an error: a JSON pointer, or line and column where the text is not JSON. Writers end without a
// newline.
namespace ridge::model {

// Whether raw samples are written.
enum class samples : bool { left_out, kept };

// Returns ridge.run/1, indented: comparisons stand flat at the top for programs that read only results;
// families hold everything.
[[nodiscard]] std::string to_json(const run& run, samples keep = samples::kept);
// Returns the same for archiving: on one line, without the flat copies, samples with nine digits.
[[nodiscard]] std::string packed_json(run run);
// Reads either of the two.
[[nodiscard]] result<run> run_from_json(std::string_view text);

// Returns ridge.comparison/1 on one line. `meta` gives the id, time and machine of the run.
[[nodiscard]] std::string comparison_json(const run& meta, const family& family,
                                          const comparison& comparison);

// Returns ridge.catalogue/1: the experiments in the order given.
[[nodiscard]] std::string catalogue_json(std::span<const experiment_description> experiments);

// Returns ridge.history/1: the comparisons in the order given, and how much the store holds.
[[nodiscard]] std::string history_json(std::span<const stored_comparison> comparisons, const holdings& held);

// Writes and reads ridge.peak/1.
[[nodiscard]] std::string peak_json(const peak& peak);
[[nodiscard]] result<peak> peak_from_json(std::string_view text);

// Writes and reads ridge.roofline/1.
[[nodiscard]] std::string roofline_json(const roofline& roofline);
[[nodiscard]] result<roofline> roofline_from_json(std::string_view text);
// Writes and reads ridge.peak/1 with the environment it was measured in and its probes; peak_from_json reads
// the peak in such a text.
[[nodiscard]] std::string peak_report_json(const peak_report& report);
[[nodiscard]] result<peak_report> peak_report_from_json(std::string_view text);

// Writes and reads ridge.probe/1: {"machine": the root}; facts are one object by name.
[[nodiscard]] std::string probe_json(const machine_node& machine);
[[nodiscard]] result<machine_node> probe_from_json(std::string_view text);

// Writes and reads ridge.audit/1.
[[nodiscard]] std::string audit_json(const audit& audit);
[[nodiscard]] result<audit> audit_from_json(std::string_view text);

// Writes and reads ridge.environment/1.
[[nodiscard]] std::string environment_json(const environment& environment);
[[nodiscard]] result<environment> environment_from_json(std::string_view text);

// Writes, on one line, and reads ridge.family/1, which stores keep with the samples beside it.
[[nodiscard]] std::string family_json(const family& family, samples keep = samples::kept);
[[nodiscard]] result<family> family_from_json(std::string_view text);

// Writes, on one line, and reads ridge.checks/1.
[[nodiscard]] std::string checks_json(std::span<const check> checks);
[[nodiscard]] result<std::vector<check>> checks_from_json(std::string_view text);

// Writes, on one line, and reads ridge.axes/1: {"schema": "ridge.axes/1", "axes": {...}}.
[[nodiscard]] std::string axes_json(const problem_point& point);
[[nodiscard]] result<problem_point> axes_from_json(std::string_view text);

}  // namespace ridge::model
