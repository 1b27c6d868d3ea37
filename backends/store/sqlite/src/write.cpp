// SPDX-License-Identifier: Apache-2.0
#include <ridge/model/json.hpp>
#include <ridge/store/sample_blob.hpp>

#include "history_rows.hpp"
#include "sqlite_store.hpp"

namespace ridge::backends::store_sqlite {
namespace {

constexpr std::string_view enter_run = R"(
  INSERT INTO run (id, started, machine, profile, header, environment_id, peak_id) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
  ON CONFLICT (id) DO UPDATE SET started = ?2, machine = ?3, profile = ?4, header = ?5, environment_id = ?6,
                                 peak_id = ?7, wall_s = NULL)";

constexpr std::string_view enter_comparison_sql = R"(
  INSERT INTO comparison (family, run, experiment, problem, axes, backend, metric, unit, better, clock, ratio, lo, hi,
    level, verdict, judged, headline, assurance, pairs, aa_lo, aa_hi,
    reference, reference_median, reference_lo, reference_hi, reference_of_ceiling, reference_bound, reference_memory,
    reference_energy,
    candidate, candidate_median, candidate_lo, candidate_hi, candidate_of_ceiling, candidate_bound, candidate_memory,
    candidate_energy, checks)
  VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21, ?22, ?23, ?24,
    ?25, ?26, ?27, ?28, ?29, ?30, ?31, ?32, ?33, ?34, ?35, ?36, ?37, ?38))";

}  // namespace

std::int64_t sqlite_store::document(const std::string& body) {
  db_.prepared("INSERT OR IGNORE INTO document (body) VALUES (?1)").with(body).execute();
  auto& found = db_.prepared("SELECT id FROM document WHERE body = ?1").with(body);
  found.step();
  const auto id = found.whole(0);
  found.reset();
  return id;
}

void sqlite_store::begin(const model::run& header) {
  transaction entry(db_);
  enter_header(header);
  entry.commit();
}

void sqlite_store::enter_header(const model::run& header) {
  const auto environment = document(model::environment_json(header.environment));
  const auto peak = document(model::peak_json(header.peak));
  const auto body = ridge::store::header_text(header);
  db_.prepared(enter_run)
      .with(header.id, header.started, header.environment.machine, header.profile, body, environment, peak)
      .execute();
  db_.prepared(
         "UPDATE measurement SET started = ?2, environment = ?3 WHERE family IN "
         "(SELECT id FROM family WHERE run = ?1)")
      .with(header.id, header.started, environment)
      .execute();
}

void sqlite_store::commit(std::string_view run_id, const model::family& finished) {
  const auto body = model::family_json(finished, model::samples::left_out);
  transaction entry(db_);
  enter_family(columns_of(run_id), finished, body);
  entry.commit();
}

run_columns sqlite_store::columns_of(std::string_view run_id) {
  auto& known = db_.prepared("SELECT started, machine, environment_id FROM run WHERE id = ?1").with(run_id);
  expects(known.step(), "store: commit() to a run that has not begun");
  run_columns run{.id = std::string(run_id),
                  .started = std::string(known.text(0)),
                  .machine = std::string(known.text(1)),
                  .environment = known.whole(2)};
  known.reset();
  return run;
}

void sqlite_store::enter_family(const run_columns& run, const model::family& finished,
                                const std::string& body) {
  db_.prepared("INSERT INTO family (run, experiment, body) VALUES (?1, ?2, ?3)")
      .with(run.id, finished.experiment, body)
      .execute();
  const auto family = db_.last_id();
  for (const auto& c : finished.comparisons) enter_comparison(run.id, family, model::row(finished, c));
  enter_series(family, finished);
  enter_history_rows(db_, run, family, finished);
  db_.prepared(
         "UPDATE holding SET families = families + 1, comparisons = comparisons + ?1, samples = samples + ?2")
      .with(finished.comparisons.size(), ridge::store::samples_of(finished))
      .execute();
}

bool sqlite_store::enter(const model::run& whole, bool finished) {
  std::vector<std::string> bodies;
  for (const auto& f : whole.families) bodies.push_back(model::family_json(f, model::samples::left_out));
  transaction entry(db_);
  if (is_held(whole.id)) return false;
  enter_header(whole);
  const auto run = columns_of(whole.id);
  for (std::size_t i = 0; i < bodies.size(); ++i) enter_family(run, whole.families[i], bodies[i]);
  if (finished) enter_end(whole);
  entry.commit();
  return true;
}

bool sqlite_store::is_held(std::string_view run_id) {
  auto& found = db_.prepared("SELECT 1 FROM run WHERE id = ?1").with(run_id);
  const bool held = found.step();
  found.reset();
  return held;
}

void sqlite_store::enter_comparison(std::string_view run_id, std::int64_t family,
                                    const model::comparison_row& row) {
  const auto& c = row.comparison;
  const auto& [a, b] = row.arms;
  const auto axes = model::axes_json(row.axes);
  const auto checks = model::checks_json(c.checks);
  db_.prepared(enter_comparison_sql)
      .with(family, run_id, row.experiment, row.problem, axes, name(row.backend), c.metric.name,
            c.metric.unit, name(c.metric.better), name(c.metric.clock), c.ratio, c.ci.lo, c.ci.hi, c.level,
            name(c.verdict), c.judged, c.headline, c.assurance, c.pairs, c.aa.lo, c.aa.hi,  //
            a.variant, a.median, a.ci.lo, a.ci.hi, a.of_ceiling, name(a.bound), a.memory_bytes,
            a.energy_j,  //
            b.variant, b.median, b.ci.lo, b.ci.hi, b.of_ceiling, name(b.bound), b.memory_bytes, b.energy_j,
            checks)
      .execute();
}

void sqlite_store::enter_series(std::int64_t family, const model::family& finished) {
  auto& enter = db_.prepared(
      "INSERT INTO series (family, measurement, ordinal, samples, data) VALUES (?1, ?2, ?3, ?4, ?5)");
  for (std::size_t m = 0; m < finished.measurements.size(); ++m) {
    const auto& all = finished.measurements[m].samples;
    for (std::size_t s = 0; s < all.size(); ++s) {
      const auto bytes = ridge::store::encode(all[s]);
      enter.with(family, m, s, all[s].value.size(), std::span<const std::byte>(bytes)).execute();
    }
  }
}

void sqlite_store::note(const model::change_note& said) {
  transaction entry(db_);
  db_.prepared("INSERT INTO change_note (series, run, state, note, stated) VALUES (?1, ?2, ?3, ?4, ?5)")
      .with(said.series, said.run, said.state, said.note, said.stated)
      .execute();
  entry.commit();
}

void sqlite_store::finish(const model::run& whole) {
  transaction entry(db_);
  enter_end(whole);
  entry.commit();
}

void sqlite_store::enter_end(const model::run& whole) {
  const auto header = ridge::store::header_text(whole);
  auto& done = db_.prepared("UPDATE run SET wall_s = ?2, header = ?3 WHERE id = ?1 RETURNING 1")
                   .with(whole.id, whole.wall_s, header);
  const bool begun = done.step();
  done.reset();
  expects(begun, "store: finish() of a run that has not begun");
}

}  // namespace ridge::backends::store_sqlite
