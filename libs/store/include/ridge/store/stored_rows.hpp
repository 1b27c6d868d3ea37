// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <ridge/base/result.hpp>
#include <ridge/model/history.hpp>
#include <ridge/model/measured_series.hpp>
#include <ridge/model/names.hpp>
#include <ridge/model/run.hpp>

// What the databases that keep results have in common: the columns that their queries ask for, in order, and
// how a row of them becomes a value. A Row has text(column), whole(column), real(column), which is NaN for
// null, and maybe_real(column), which is empty for null; columns are counted from 0.
namespace ridge::store {

inline constexpr std::string_view comparison_columns =
    "c.run, r.started, r.machine, c.experiment, c.problem, c.axes, c.backend, c.metric, c.unit, c.better, "
    "c.clock, "
    "c.ratio, c.lo, c.hi, c.level, c.verdict, c.judged, c.headline, c.assurance, c.pairs, c.aa_lo, c.aa_hi, "
    "c.reference, c.reference_median, c.reference_lo, c.reference_hi, c.reference_of_ceiling, "
    "c.reference_bound, "
    "c.reference_memory, c.reference_energy, "
    "c.candidate, c.candidate_median, c.candidate_lo, c.candidate_hi, c.candidate_of_ceiling, "
    "c.candidate_bound, "
    "c.candidate_memory, c.candidate_energy";
inline constexpr int checks_column = 38;  // where a query asks for the checks after comparison_columns
inline constexpr std::string_view bare_comparison_columns =
    "c.metric, c.unit, c.better, c.clock, c.ratio, c.lo, c.hi, c.level, c.verdict, c.judged, c.headline, "
    "c.assurance, c.pairs, c.aa_lo, c.aa_hi, c.reference, c.candidate";
inline constexpr int bare_comparison_width = 17;
inline constexpr std::string_view workload_columns =
    "w.id, w.machine, w.experiment, w.title, w.problem, w.axes, w.backend, w.goal, w.flop, w.bytes, w.items, "
    "w.families";
inline constexpr int workload_width = 12;
inline constexpr std::string_view workload_order = "ORDER BY w.machine, w.experiment, w.backend, w.problem";
inline constexpr std::string_view series_columns =
    "h.id, h.workload, h.variant, h.role, h.metric, h.unit, h.better, h.clock, h.points";
inline constexpr int series_width = 9;
inline constexpr std::string_view point_columns =
    "m.series, m.run, m.started, m.environment, m.median, m.lo, m.hi, m.samples, m.memory, m.arrays, "
    "m.energy, "
    "m.flop, m.bytes_moved, m.items, m.of_ceiling, m.ceiling, m.bound, m.abs_error, m.rel_error";
inline constexpr int point_width = 19;

// What the rows of a family take from its run.
struct run_columns {
  std::string id{};
  std::string started{};
  std::string machine{};
  std::int64_t environment = 0;  // the row of its document
};

// Returns the enumerator of a stored word; the first one for a word of a newer program.
template <class Enum, class Row>
[[nodiscard]] Enum word(const Row& row, int column) {
  return model::named<Enum>(row.text(column)).value_or(Enum{});
}

// Returns the text of a column as a string of its own.
template <class Row>
[[nodiscard]] std::string owned(const Row& row, int column) {
  return std::string(row.text(column));
}

// Reads axes; most rows of a history have the same axes as the row before.
class axes_reader {
 public:
  // Returns the axes of this text, which are empty where it is damaged; they live until the next call.
  const model::problem_point& read(std::string_view text);

 private:
  std::string text_{};
  model::problem_point axes_{};
};

// Reads a comparison without checks from the columns metric ... aa_hi, of which `first` is that of the
// metric; the names of its variants have columns of their own.
template <class Row>
[[nodiscard]] model::comparison comparison_at(const Row& row, int first, int reference, int candidate) {
  return {.reference = owned(row, reference),
          .candidate = owned(row, candidate),
          .metric = {owned(row, first), owned(row, first + 1), word<model::better>(row, first + 2),
                     word<model::clock_kind>(row, first + 3)},
          .ratio = row.real(first + 4),
          .ci = {row.real(first + 5), row.real(first + 6)},
          .level = row.real(first + 7),
          .verdict = word<model::verdict>(row, first + 8),
          .headline = row.whole(first + 10) != 0,
          .judged = row.whole(first + 9) != 0,
          .assurance = static_cast<int>(row.whole(first + 11)),
          .pairs = static_cast<std::uint64_t>(row.whole(first + 12)),
          .aa = {row.real(first + 13), row.real(first + 14)}};
}

// Reads an arm of a comparison from eight columns.
template <class Row>
[[nodiscard]] model::arm arm_at(const Row& row, int column, const std::string& unit) {
  return {.variant = owned(row, column),
          .median = row.real(column + 1),
          .ci = {row.real(column + 2), row.real(column + 3)},
          .unit = unit,
          .of_ceiling = row.maybe_real(column + 4),
          .bound = word<model::bound>(row, column + 5),
          .memory_bytes = row.maybe_real(column + 6),
          .energy_j = row.maybe_real(column + 7)};
}

// Reads comparison_columns.
template <class Row>
[[nodiscard]] model::stored_comparison stored_comparison_at(const Row& row, axes_reader& axes) {
  model::stored_comparison one{.run = owned(row, 0), .started = owned(row, 1), .machine = owned(row, 2)};
  one.row.experiment = owned(row, 3);
  one.row.problem = owned(row, 4);
  one.row.axes = axes.read(row.text(5));
  one.row.backend = word<model::backend>(row, 6);
  one.row.comparison = comparison_at(row, 7, 22, 30);
  const auto unit = one.row.comparison.metric.unit;
  one.row.arms = {arm_at(row, 22, unit), arm_at(row, 30, unit)};
  return one;
}

// Reads workload_columns.
template <class Row>
[[nodiscard]] model::workload workload_at(const Row& row, axes_reader& axes) {
  return {.id = row.whole(0),
          .machine = owned(row, 1),
          .experiment = owned(row, 2),
          .title = owned(row, 3),
          .problem = owned(row, 4),
          .axes = axes.read(row.text(5)),
          .backend = word<model::backend>(row, 6),
          .goal = word<model::goal>(row, 7),
          .flop = row.real(8),
          .bytes = row.real(9),
          .items = row.real(10),
          .families = static_cast<std::uint64_t>(row.whole(11))};
}

// Reads series_columns, of which the first is `column`.
template <class Row>
[[nodiscard]] model::measured_series series_at(const Row& row, int column) {
  return {.id = row.whole(column),
          .workload = row.whole(column + 1),
          .variant = owned(row, column + 2),
          .role = word<model::role>(row, column + 3),
          .metric = {owned(row, column + 4), owned(row, column + 5), word<model::better>(row, column + 6),
                     word<model::clock_kind>(row, column + 7)},
          .points = static_cast<std::uint64_t>(row.whole(column + 8))};
}

// Reads point_columns, of which the first is `column`.
template <class Row>
[[nodiscard]] model::measured_point point_at(const Row& row, int column) {
  return {.series = row.whole(column),
          .run = owned(row, column + 1),
          .started = owned(row, column + 2),
          .environment = row.whole(column + 3),
          .median = row.real(column + 4),
          .ci = {row.real(column + 5), row.real(column + 6)},
          .samples = static_cast<std::uint64_t>(row.whole(column + 7)),
          .memory_bytes = row.maybe_real(column + 8),
          .energy_j = row.maybe_real(column + 10),
          .array_bytes = row.real(column + 9),
          .flop = row.real(column + 11),
          .bytes_moved = row.real(column + 12),
          .items = row.real(column + 13),
          .of_ceiling = row.maybe_real(column + 14),
          .ceiling = owned(row, column + 15),
          .bound = word<model::bound>(row, column + 16),
          .max_abs_error = row.real(column + 17),
          .max_rel_error = row.real(column + 18)};
}

// Returns a run as its row holds it: environment, ceilings and families have rows of their own, its seconds a
// column.
[[nodiscard]] std::string header_text(const model::run& run);
// Returns how many samples the estimate of a metric rests on.
[[nodiscard]] std::size_t samples_of(const model::measurement& measurement, const model::metric& metric);
// Returns how many samples a family holds, of all its series.
[[nodiscard]] std::size_t samples_of(const model::family& family);
// Returns whether a measurement has points: it was neither skipped nor refused.
[[nodiscard]] bool was_measured(const model::measurement& measurement);
// Returns the peak bytes of one call; nothing where they were not seen.
[[nodiscard]] std::optional<double> memory_of(const model::measurement& measurement);

// Returns whether a text has a wildcard of Ridge's globs, `*` or `?`.
[[nodiscard]] bool is_glob(std::string_view text);
// Returns a limit as databases take it, at most 2^63 - 1.
[[nodiscard]] std::int64_t limit_of(std::size_t limit);
// Returns a text that sorts behind all texts that begin with `prefix`, for ids of ASCII letters.
[[nodiscard]] std::string end_of(std::string_view prefix);

// Returns the errors of a run that cannot be read, of an id that begins several runs or none, and of an
// environment that there is not.
[[nodiscard]] error damaged_run(std::string_view run, const error& why);
[[nodiscard]] error no_environment(std::int64_t number);
// Returns the id among those that begin with `prefix`, of which `found` holds the first in order; an error
// where there is none, or several and none equals it.
[[nodiscard]] result<std::string> only_id(std::string_view prefix, const std::vector<std::string>& found);
inline constexpr std::size_t most_ids_named = 9;

// Fills the samples of one series of a family from its blob; an error where the family has no such series, or
// the blob is damaged.
[[nodiscard]] result<void> decode_samples(model::family& family, std::size_t measurement, std::size_t ordinal,
                                          std::span<const std::byte> bytes);
// Returns a run from the texts of its row and documents.
[[nodiscard]] result<model::run> run_of_texts(std::string_view id, std::string_view header,
                                              std::string_view environment, std::string_view peak);

}  // namespace ridge::store
