// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <ridge/model/json.hpp>

#include "rows.hpp"
#include "sqlite_store.hpp"

namespace ridge::backends::store_sqlite {
namespace {

using ridge::store::point_query;
using ridge::store::workload_query;

constexpr std::string_view workload_columns =
    "w.id, w.machine, w.experiment, w.title, w.problem, w.axes, w.backend, w.goal, w.flop, w.bytes, w.items, "
    "w.families";
constexpr std::string_view workload_order = "ORDER BY w.machine, w.experiment, w.backend, w.problem";
constexpr std::string_view series_columns =
    "h.id, h.workload, h.variant, h.role, h.metric, h.unit, h.better, h.clock, h.points";
constexpr std::string_view point_columns =
    "m.series, m.run, m.started, m.environment, m.median, m.lo, m.hi, m.samples, m.memory, m.arrays, "
    "m.energy, m.flop, "
    "m.bytes_moved, m.items, m.of_ceiling, m.ceiling, m.bound, m.abs_error, m.rel_error";
constexpr int series_width = 9;

// The condition on workloads, and what is bound to ?1 ... ?4. Equality where the text is no glob: an index
// serves it.
struct workload_filter {
  explicit workload_filter(const workload_query& query)
      : experiment(pattern(query.experiment)),
        machine(pattern(query.machine)),
        backend(query.backend ? name(*query.backend) : std::string_view{}),
        problem(query.problem.value_or("")),
        sql(fmt::format("{} AND {}{}{}", condition("w.experiment", query.experiment, 1),
                        condition("w.machine", query.machine, 2), query.backend ? " AND w.backend = ?3" : "",
                        query.problem ? " AND w.problem = ?4" : "")) {}

  static std::string pattern(const std::string& text) { return is_glob(text) ? sqlite_glob(text) : text; }
  static std::string condition(std::string_view column, const std::string& text, int place) {
    if (text == "*") return fmt::format("?{} = '*'", place);
    return fmt::format("{} {} ?{}", column, is_glob(text) ? "GLOB" : "=", place);
  }

  std::string experiment, machine;
  std::string_view backend;
  std::string problem, sql;
};

model::workload workload_at(const statement& s, axes_reader& axes) {
  return {.id = s.whole(0),
          .machine = owned(s, 1),
          .experiment = owned(s, 2),
          .title = owned(s, 3),
          .problem = owned(s, 4),
          .axes = axes.read(s.text(5)),
          .backend = word<model::backend>(s, 6),
          .goal = word<model::goal>(s, 7),
          .flop = s.real(8),
          .bytes = s.real(9),
          .items = s.real(10),
          .families = static_cast<std::uint64_t>(s.whole(11))};
}

model::measured_series series_at(const statement& s, int column) {
  return {.id = s.whole(column),
          .workload = s.whole(column + 1),
          .variant = owned(s, column + 2),
          .role = word<model::role>(s, column + 3),
          .metric = {owned(s, column + 4), owned(s, column + 5), word<model::better>(s, column + 6),
                     word<model::clock_kind>(s, column + 7)},
          .points = static_cast<std::uint64_t>(s.whole(column + 8))};
}

model::measured_point point_at(const statement& s, int column) {
  return {.series = s.whole(column),
          .run = owned(s, column + 1),
          .started = owned(s, column + 2),
          .environment = s.whole(column + 3),
          .median = s.real(column + 4),
          .ci = {s.real(column + 5), s.real(column + 6)},
          .samples = static_cast<std::uint64_t>(s.whole(column + 7)),
          .memory_bytes = s.maybe_real(column + 8),
          .energy_j = s.maybe_real(column + 10),
          .array_bytes = s.real(column + 9),
          .flop = s.real(column + 11),
          .bytes_moved = s.real(column + 12),
          .items = s.real(column + 13),
          .of_ceiling = s.maybe_real(column + 14),
          .ceiling = owned(s, column + 15),
          .bound = word<model::bound>(s, column + 16),
          .max_abs_error = s.real(column + 17),
          .max_rel_error = s.real(column + 18)};
}

}  // namespace

std::vector<model::workload> sqlite_store::workloads(const workload_query& query) {
  const workload_filter filter(query);
  statement rows(db_, fmt::format("SELECT {} FROM workload w WHERE {} {} LIMIT ?5", workload_columns,
                                  filter.sql, workload_order));
  rows.with(filter.experiment, filter.machine, filter.backend, filter.problem, limit_of(query.limit));
  std::vector<model::workload> all;
  axes_reader axes;
  while (rows.step()) all.push_back(workload_at(rows, axes));
  return all;
}

void sqlite_store::read_measurements(std::int64_t family, model::workload_result& result) {
  auto& rows = db_.prepared(R"(
    SELECT h.id, h.workload, h.variant, h.role, h.metric, h.unit, h.better, h.clock, h.points,
      m.series, m.run, m.started, m.environment, m.median, m.lo, m.hi, m.samples, m.memory, m.arrays, m.energy, m.flop,
      m.bytes_moved, m.items, m.of_ceiling, m.ceiling, m.bound, m.abs_error, m.rel_error
    FROM measurement m JOIN history_series h ON h.id = m.series WHERE m.family = ?1 ORDER BY m.ordinal)");
  rows.with(family);
  while (rows.step()) {
    result.measurements.push_back({series_at(rows, 0), point_at(rows, series_width)});
  }
  rows.reset();
}

void sqlite_store::read_comparisons(std::int64_t family, model::workload_result& result) {
  auto& rows = db_.prepared(R"(
    SELECT metric, unit, better, clock, ratio, lo, hi, level, verdict, judged, headline, assurance, pairs, aa_lo, aa_hi,
      reference, candidate
    FROM comparison WHERE family = ?1 ORDER BY id)");
  rows.with(family);
  while (rows.step()) result.comparisons.push_back(comparison_at(rows, 0, 15, 16));
  rows.reset();
}

std::vector<model::workload_result> sqlite_store::latest(const workload_query& query) {
  const workload_filter filter(query);
  statement rows(
      db_, fmt::format("SELECT {}, w.latest, r.id, r.started, r.environment_id FROM workload w "
                       "JOIN family f ON f.id = w.latest JOIN run r ON r.id = f.run WHERE {} {} LIMIT ?5",
                       workload_columns, filter.sql, workload_order));
  rows.with(filter.experiment, filter.machine, filter.backend, filter.problem, limit_of(query.limit));
  std::vector<model::workload_result> all;
  axes_reader axes;
  while (rows.step()) {
    auto& one = all.emplace_back();
    one.workload = workload_at(rows, axes);
    one.run = owned(rows, 13);
    one.started = owned(rows, 14);
    one.environment = rows.whole(15);
    read_measurements(rows.whole(12), one);
    read_comparisons(rows.whole(12), one);
  }
  return all;
}

std::vector<model::measured_series> sqlite_store::series(const workload_query& query) {
  const workload_filter filter(query);
  statement rows(
      db_,
      fmt::format("SELECT {} FROM history_series h JOIN workload w ON w.id = h.workload WHERE {}{} "
                  "{}, h.variant, h.metric LIMIT ?5",
                  series_columns, filter.sql, query.variant ? " AND h.variant = ?6" : "", workload_order));
  const auto variant = query.variant.value_or("");
  if (query.variant)
    rows.with(filter.experiment, filter.machine, filter.backend, filter.problem, limit_of(query.limit),
              variant);
  else
    rows.with(filter.experiment, filter.machine, filter.backend, filter.problem, limit_of(query.limit));
  std::vector<model::measured_series> all;
  while (rows.step()) all.push_back(series_at(rows, 0));
  return all;
}

std::vector<model::measured_point> sqlite_store::points(const point_query& query) {
  const auto sql = fmt::format(
      "SELECT * FROM (SELECT {} FROM measurement m WHERE m.series = ?1 AND m.run >= ?2 AND (?3 = '' OR m.run "
      "<= ?3) "
      "ORDER BY m.series DESC, m.run DESC, m.family DESC LIMIT ?4) ORDER BY run, family_order",
      fmt::format("{}, m.family AS family_order", point_columns));
  statement rows(db_, sql);
  rows.with(query.series, query.first_run, query.last_run, limit_of(query.limit));
  std::vector<model::measured_point> all;
  while (rows.step()) all.push_back(point_at(rows, 0));
  return all;
}

result<model::environment> sqlite_store::environment(std::int64_t number) {
  statement row(db_, "SELECT body FROM document WHERE id = ?1");
  row.with(number);
  if (!row.step())
    return error{fmt::format("the store has no environment {}", number),
                 "results name the numbers there are"};
  return model::environment_from_json(row.text(0));
}

std::vector<model::change_note> sqlite_store::notes() {
  statement rows(db_, R"(
    SELECT series, run, state, note, stated FROM change_note n
    WHERE id = (SELECT MAX(id) FROM change_note WHERE series = n.series AND run = n.run) ORDER BY series, run)");
  std::vector<model::change_note> all;
  while (rows.step()) {
    all.push_back({.series = rows.whole(0),
                   .run = owned(rows, 1),
                   .state = owned(rows, 2),
                   .note = owned(rows, 3),
                   .stated = owned(rows, 4)});
  }
  return all;
}

}  // namespace ridge::backends::store_sqlite
