// SPDX-License-Identifier: Apache-2.0
#include <ridge/base/expects.hpp>
#include <ridge/model/json.hpp>

#include "enter_families.hpp"
#include "postgresql_store.hpp"

namespace ridge::backends::store_postgresql {
namespace {

constexpr const char* enter_run = R"(
  INSERT INTO run (id, started, machine, profile, header, environment_id, peak_id) VALUES ($1, $2, $3, $4, $5, $6, $7)
  ON CONFLICT (id) DO UPDATE SET started = excluded.started, machine = excluded.machine, profile = excluded.profile,
    header = excluded.header, environment_id = excluded.environment_id, peak_id = excluded.peak_id, wall_s = NULL)";

std::int64_t document(session& statements, const std::string& body) {
  const std::string known = "SELECT id FROM document WHERE body = $1";
  if (const auto found = statements.prepared(known, values(body)); found.size() > 0)
    return found.at(0).whole(0);
  const auto entered = statements.prepared(
      "INSERT INTO document (body) VALUES ($1) ON CONFLICT DO NOTHING RETURNING id", values(body));
  if (entered.size() > 0) return entered.at(0).whole(0);
  return statements.prepared(known, values(body)).at(0).whole(0);  // another process entered it meanwhile
}

store::run_columns enter_header(session& statements, const model::run& header) {
  const auto environment = document(statements, model::environment_json(header.environment));
  const auto peak = document(statements, model::peak_json(header.peak));
  statements.prepared(enter_run, values(header.id, header.started, header.environment.machine, header.profile,
                                        ridge::store::header_text(header), environment, peak));
  statements.prepared(
      "UPDATE measurement SET started = $2, environment = $3 WHERE family IN (SELECT id FROM family WHERE "
      "run = $1)",
      values(header.id, header.started, environment));
  return {.id = header.id,
          .started = header.started,
          .machine = header.environment.machine,
          .environment = environment};
}

// Enters the row of a run that is not held, and returns whether it did: another transaction that enters the
// same one is waited for.
bool claim(session& statements, const model::run& whole) {
  if (statements.prepared("SELECT 1 FROM run WHERE id = $1", values(whole.id)).size() > 0) return false;
  const auto environment = document(statements, model::environment_json(whole.environment));
  const auto peak = document(statements, model::peak_json(whole.peak));
  return statements
             .prepared(
                 "INSERT INTO run (id, started, machine, profile, header, environment_id, peak_id) "
                 "VALUES ($1, $2, $3, $4, '', $5, $6) ON CONFLICT (id) DO NOTHING RETURNING 1",
                 values(whole.id, whole.started, whole.environment.machine, whole.profile, environment, peak))
             .size() > 0;
}

void enter_end(session& statements, const model::run& whole) {
  const auto done = statements.prepared("UPDATE run SET wall_s = $2, header = $3 WHERE id = $1 RETURNING 1",
                                        values(whole.id, whole.wall_s, ridge::store::header_text(whole)));
  expects(done.size() == 1, "store: finish() of a run that has not begun");
}

}  // namespace

void postgresql_store::begin(const model::run& header) {
  database_.write([&](session& statements) { enter_header(statements, header); });
}

void postgresql_store::commit(std::string_view run_id, const model::family& finished) {
  database_.write([&](session& statements) {
    const auto known =
        statements.prepared("SELECT started, machine, environment_id FROM run WHERE id = $1", values(run_id));
    expects(known.size() == 1, "store: commit() to a run that has not begun");
    const auto columns = known.at(0);
    enter_families(statements,
                   {.id = std::string(run_id),
                    .started = ridge::store::owned(columns, 0),
                    .machine = ridge::store::owned(columns, 1),
                    .environment = columns.whole(2)},
                   std::span(&finished, 1));
  });
}

void postgresql_store::finish(const model::run& whole) {
  database_.write([&](session& statements) { enter_end(statements, whole); });
}

bool postgresql_store::enter(const model::run& whole, bool finished) {
  bool is_new = false;
  database_.write([&](session& statements) {
    is_new = claim(statements, whole);
    if (!is_new) return;
    const auto run = enter_header(statements, whole);
    enter_families(statements, run, whole.families);
    if (finished) enter_end(statements, whole);
  });
  return is_new;
}

void postgresql_store::note(const model::change_note& said) {
  database_.write([&](session& statements) {
    statements.prepared(
        "INSERT INTO change_note (series, run, state, note, stated) VALUES ($1, $2, $3, $4, $5)",
        values(said.series, said.run, said.state, said.note, said.stated));
  });
}

}  // namespace ridge::backends::store_postgresql
