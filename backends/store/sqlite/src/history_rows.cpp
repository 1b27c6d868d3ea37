// SPDX-License-Identifier: Apache-2.0
#include "history_rows.hpp"

#include <ridge/model/json.hpp>

namespace ridge::backends::store_sqlite {
namespace {

// The newest family is the one of the newest run, whichever was entered last: old runs are imported, too.
constexpr std::string_view enter_workload_sql = R"(
  INSERT INTO workload (machine, experiment, backend, problem, axes, title, goal, flop, bytes, items, families, latest)
  VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, 1, ?11)
  ON CONFLICT (experiment, machine, backend, problem) DO UPDATE SET families = families + 1)";

constexpr std::string_view renew_workload_sql = R"(
  UPDATE workload SET title = ?2, goal = ?3, flop = ?4, bytes = ?5, items = ?6, latest = ?7
  WHERE id = ?1 AND ?8 >= (SELECT run FROM family WHERE id = latest))";

// What a variant is and how its metric is read are those of the newest run, too.
constexpr std::string_view enter_series_sql = R"(
  INSERT INTO history_series (workload, variant, metric, role, unit, better, clock, points)
  VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, 1)
  ON CONFLICT (workload, variant, metric) DO UPDATE SET points = points + 1,
    role = CASE WHEN ?8 THEN excluded.role ELSE role END, unit = CASE WHEN ?8 THEN excluded.unit ELSE unit END,
    better = CASE WHEN ?8 THEN excluded.better ELSE better END, clock = CASE WHEN ?8 THEN excluded.clock ELSE clock END
  RETURNING id)";

constexpr std::string_view enter_measurement_sql = R"(
  INSERT INTO measurement (series, run, family, ordinal, started, environment, median, lo, hi, samples, memory, arrays, energy,
    flop, bytes_moved, items, of_ceiling, ceiling, bound, abs_error, rel_error)
  VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21))";

std::int64_t whole_of(statement& query) {
  query.step();
  const auto found = query.whole(0);
  query.reset();
  return found;
}

std::int64_t enter_workload(database& connection, const run_columns& run, std::int64_t family_id,
                            const model::family& f) {
  const auto problem = model::text(f.problem), axes = model::axes_json(f.problem);
  const double bytes = f.bytes_read + f.bytes_written;
  connection.prepared(enter_workload_sql)
      .with(run.machine, f.experiment, name(f.backend), problem, axes, f.title, name(f.goal), f.flop, bytes,
            f.items, family_id)
      .execute();
  const auto id = whole_of(connection
                               .prepared("SELECT id FROM workload WHERE experiment = ?1 AND machine = ?2 "
                                         "AND backend = ?3 AND problem = ?4")
                               .with(f.experiment, run.machine, name(f.backend), problem));
  connection.prepared(renew_workload_sql)
      .with(id, f.title, name(f.goal), f.flop, bytes, f.items, family_id, run.id)
      .execute();
  return id;
}

}  // namespace

void enter_history_rows(database& connection, const run_columns& run, std::int64_t family_id,
                        const model::family& finished) {
  const auto workload = enter_workload(connection, run, family_id, finished);
  const auto is_newest = whole_of(
      connection.prepared("SELECT latest = ?2 FROM workload WHERE id = ?1").with(workload, family_id));
  std::int64_t ordinal = 0;
  for (const auto& m : finished.measurements) {
    if (!store::was_measured(m)) continue;
    const auto memory = store::memory_of(m);
    for (const auto& e : m.metrics) {
      const auto series = whole_of(connection.prepared(enter_series_sql)
                                       .with(workload, m.variant, e.metric.name, name(m.role), e.metric.unit,
                                             name(e.metric.better), name(e.metric.clock), is_newest));
      connection.prepared(enter_measurement_sql)
          .with(series, run.id, family_id, ordinal++, run.started, run.environment, e.median, e.ci.lo,
                e.ci.hi, store::samples_of(m, e.metric), memory, m.memory.reserved_bytes, m.energy_j, m.flop,
                m.bytes_moved, m.items, m.of_ceiling, m.ceiling, name(m.bound), m.max_abs_error,
                m.max_rel_error)
          .execute();
    }
  }
}

namespace {

// A family is stored without its samples; their number is known beside them.
void count_samples(database& connection, std::int64_t family_id, model::family& f) {
  auto& counts = connection.prepared("SELECT measurement, ordinal, samples FROM series WHERE family = ?1")
                     .with(family_id);
  while (counts.step()) {
    const auto m = static_cast<std::size_t>(counts.whole(0)), s = static_cast<std::size_t>(counts.whole(1));
    if (m < f.measurements.size() && s < f.measurements[m].samples.size())
      f.measurements[m].samples[s].value.resize(static_cast<std::size_t>(counts.whole(2)));
  }
  counts.reset();
}

}  // namespace

void fill_history_rows(database& connection) {
  statement rows(connection, R"(
    SELECT r.id, r.started, r.machine, r.environment_id, f.id, f.body FROM family f JOIN run r ON r.id = f.run
    ORDER BY f.id)");
  while (rows.step()) {
    auto family = model::family_from_json(rows.text(5));
    if (!family) continue;  // a damaged row stays what it is; reading its run says so
    count_samples(connection, rows.whole(4), *family);
    enter_history_rows(connection,
                       {.id = std::string(rows.text(0)),
                        .started = std::string(rows.text(1)),
                        .machine = std::string(rows.text(2)),
                        .environment = rows.whole(3)},
                       rows.whole(4), *family);
  }
}

}  // namespace ridge::backends::store_sqlite
