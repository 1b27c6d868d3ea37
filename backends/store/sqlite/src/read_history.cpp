// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/format.h>

#include <ridge/model/json.hpp>

#include "rows.hpp"
#include "sqlite_store.hpp"

namespace ridge::backends::store_sqlite {
namespace {

using namespace ridge::store;

// The condition on workloads, and what is bound to ?1 ... ?7, the limit last. Equality where the text is no
// glob: an index serves it.
struct workload_filter {
  explicit workload_filter(const workload_query& query)
      : experiment(pattern_of(query.experiment)),
        machine(pattern_of(query.machine)),
        backend(query.backend ? name(*query.backend) : std::string_view{}),
        problem(query.problem.value_or("")),
        variant(query.variant.value_or("")),
        series(query.series.value_or(0)),
        limit(limit_of(query.limit)),
        sql(fmt::format(
            "{} AND {}{}{}{}", condition("w.experiment", query.experiment, 1),
            condition("w.machine", query.machine, 2), query.backend ? " AND w.backend = ?3" : "",
            query.problem ? " AND w.problem = ?4" : "",
            query.series ? " AND w.id = (SELECT workload FROM history_series WHERE id = ?6)" : "")) {}
  void bind(statement& rows) const {
    rows.with(experiment, machine, backend, problem, variant, series, limit);
  }

  std::string experiment, machine;
  std::string_view backend;
  std::string problem, variant;
  std::int64_t series, limit;
  std::string sql;
};

}  // namespace

std::vector<model::workload> sqlite_store::workloads(const workload_query& query) {
  const workload_filter filter(query);
  statement rows(db_, fmt::format("SELECT {} FROM workload w WHERE {} {} LIMIT ?7", workload_columns,
                                  filter.sql, workload_order));
  filter.bind(rows);
  std::vector<model::workload> all;
  axes_reader axes;
  while (rows.step()) all.push_back(workload_at(rows, axes));
  return all;
}

void sqlite_store::read_measurements(std::int64_t family, model::workload_result& result) {
  static const auto sql = fmt::format(
      "SELECT {}, {} FROM measurement m JOIN history_series h ON h.id = m.series "
      "WHERE m.family = ?1 ORDER BY m.ordinal",
      series_columns, point_columns);
  auto& rows = db_.prepared(sql);
  rows.with(family);
  while (rows.step()) {
    result.measurements.push_back({series_at(rows, 0), point_at(rows, series_width)});
  }
  rows.reset();
}

void sqlite_store::read_comparisons(std::int64_t family, model::workload_result& result) {
  static const auto sql =
      fmt::format("SELECT {} FROM comparison c WHERE c.family = ?1 ORDER BY c.id", bare_comparison_columns);
  auto& rows = db_.prepared(sql);
  rows.with(family);
  while (rows.step()) result.comparisons.push_back(comparison_at(rows, 0, 15, 16));
  rows.reset();
}

std::vector<model::workload_result> sqlite_store::latest(const workload_query& query) {
  const workload_filter filter(query);
  statement rows(
      db_, fmt::format("SELECT {}, w.latest, r.id, r.started, r.environment_id FROM workload w "
                       "JOIN family f ON f.id = w.latest JOIN run r ON r.id = f.run WHERE {} {} LIMIT ?7",
                       workload_columns, filter.sql, workload_order));
  filter.bind(rows);
  std::vector<model::workload_result> all;
  axes_reader axes;
  while (rows.step()) {
    auto& one = all.emplace_back();
    one.workload = workload_at(rows, axes);
    one.run = owned(rows, 13);
    one.started = owned(rows, 14);
    one.environment = rows.whole(15);
    const auto family = rows.whole(12);
    if (newest_.complete(family, one)) continue;
    one.measurements.reserve(8);
    one.comparisons.reserve(8);
    read_measurements(family, one);
    read_comparisons(family, one);
    newest_.keep(family, one);
  }
  return all;
}

std::vector<model::measured_series> sqlite_store::series(const workload_query& query) {
  const workload_filter filter(query);
  statement rows(
      db_, fmt::format("SELECT {} FROM history_series h JOIN workload w ON w.id = h.workload WHERE {}{}{} "
                       "{}, h.variant, h.metric LIMIT ?7",
                       series_columns, filter.sql, query.variant ? " AND h.variant = ?5" : "",
                       query.series ? " AND h.id = ?6" : "", workload_order));
  filter.bind(rows);
  std::vector<model::measured_series> all;
  while (rows.step()) all.push_back(series_at(rows, 0));
  return all;
}

std::vector<model::measured_point> sqlite_store::points(const point_query& query) {
  statement rows(db_, fmt::format("SELECT {} FROM measurement m WHERE m.series = ?1 AND m.run >= ?2 AND "
                                  "(?3 = '' OR m.run <= ?3) "
                                  "ORDER BY m.series DESC, m.run DESC, m.family DESC LIMIT ?4",
                                  point_columns));
  rows.with(query.series, query.first_run, query.last_run, limit_of(query.limit));
  std::vector<model::measured_point> all;
  while (rows.step()) all.push_back(point_at(rows, 0));
  std::ranges::reverse(all);  // the newest ones were asked for; sorting them again would take longer
  return all;
}

result<model::environment> sqlite_store::environment(std::int64_t number) {
  statement row(db_, "SELECT body FROM document WHERE id = ?1");
  row.with(number);
  if (!row.step()) return no_environment(number);
  return model::environment_from_json(row.text(0));
}

namespace {

std::vector<model::change_note> notes_of(statement rows) {
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

}  // namespace

std::vector<model::change_note> sqlite_store::notes() {
  return notes_of(statement(db_, R"(
    SELECT series, run, state, note, stated FROM change_note n
    WHERE id = (SELECT MAX(id) FROM change_note WHERE series = n.series AND run = n.run) ORDER BY series, run)"));
}

std::vector<model::change_note> sqlite_store::all_notes() {
  return notes_of(statement(db_, "SELECT series, run, state, note, stated FROM change_note ORDER BY id"));
}

}  // namespace ridge::backends::store_sqlite
