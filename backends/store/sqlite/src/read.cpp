// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/format.h>

#include <ridge/model/json.hpp>
#include <ridge/store/sample_blob.hpp>

#include "rows.hpp"
#include "sqlite_store.hpp"

namespace ridge::backends::store_sqlite {
namespace {

using ridge::store::limit_of;
using ridge::store::owned;

// Returns the greatest `limit` of `all` in falling order, each once.
template <class T>
void keep_greatest(std::vector<T>& all, std::size_t limit) {
  std::ranges::sort(all, std::ranges::greater{});
  all.erase(std::ranges::unique(all).begin(), all.end());
  if (all.size() > limit) all.resize(limit);
}

ridge::store::run_entry entry_at(const statement& row) {
  return {.id = owned(row, 0),
          .started = owned(row, 1),
          .machine = owned(row, 2),
          .profile = owned(row, 3),
          .wall_s = row.maybe_real(4),
          .families = static_cast<std::uint64_t>(row.whole(5)),
          .comparisons = static_cast<std::uint64_t>(row.whole(6))};
}

}  // namespace

// Experiments are few however many runs there are: an index serves each, where a glob would look at all rows.
std::vector<std::string> sqlite_store::experiments_like(const std::string& glob) {
  if (!ridge::store::is_glob(glob)) return {glob};
  auto& rows = db_.prepared("SELECT DISTINCT experiment FROM workload WHERE experiment GLOB ?1");
  const auto pattern = sqlite_glob(glob);
  rows.with(pattern);
  std::vector<std::string> all;
  while (rows.step()) all.push_back(owned(rows, 0));
  rows.reset();
  return all;
}

namespace {

// Returns what the ids of a page are less than.
std::string end_of_page(const ridge::store::run_query& query) {
  return query.before.empty() ? ridge::store::end_of("") : query.before;
}

}  // namespace

// The newest runs that hold such an experiment are among the newest of each experiment.
std::vector<std::string> sqlite_store::runs_with(const ridge::store::run_query& query) {
  std::vector<std::string> ids;
  const auto end = end_of_page(query);
  auto& rows = db_.prepared(
      "SELECT DISTINCT run FROM family WHERE experiment = ?1 AND run < ?2 ORDER BY run DESC "
      "LIMIT ?3");
  for (const auto& experiment : experiments_like(query.experiment)) {
    rows.reset().with(experiment, end, limit_of(query.limit));
    while (rows.step()) ids.push_back(owned(rows, 0));
  }
  rows.reset();
  keep_greatest(ids, query.limit);
  return ids;
}

std::vector<ridge::store::run_entry> sqlite_store::runs(const ridge::store::run_query& query) {
  constexpr std::string_view columns = R"(
    SELECT id, started, machine, profile, wall_s, (SELECT COUNT(*) FROM family f WHERE f.run = r.id),
           (SELECT COUNT(*) FROM family f JOIN comparison c ON c.family = f.id WHERE f.run = r.id)
    FROM run r WHERE )";
  std::vector<ridge::store::run_entry> all;
  if (query.experiment == "*") {
    const auto end = end_of_page(query);
    statement rows(db_, fmt::format("{} id < ?1 ORDER BY id DESC LIMIT ?2", columns));
    rows.with(end, limit_of(query.limit));
    while (rows.step()) all.push_back(entry_at(rows));
    return all;
  }
  statement row(db_, fmt::format("{} id = ?1", columns));
  for (const auto& id : runs_with(query)) {
    row.reset().with(id);
    if (row.step()) all.push_back(entry_at(row));
  }
  return all;
}

std::vector<std::int64_t> sqlite_store::newest_comparisons(const ridge::store::history_query& query) {
  auto& rows = db_.prepared(
      query.problem && query.candidate ? "SELECT id FROM comparison WHERE experiment = ?1 AND problem = ?2 "
                                         "AND candidate = ?3 ORDER BY id DESC LIMIT ?4"
      : query.problem
          ? "SELECT id FROM comparison WHERE experiment = ?1 AND problem = ?2 ORDER BY id DESC LIMIT ?4"
      : query.candidate
          ? "SELECT id FROM comparison WHERE experiment = ?1 AND candidate = ?3 ORDER BY id DESC LIMIT ?4"
          : "SELECT id FROM comparison WHERE experiment = ?1 ORDER BY id DESC LIMIT ?4");
  const auto problem = query.problem.value_or(""), candidate = query.candidate.value_or("");
  std::vector<std::int64_t> ids;
  for (const auto& experiment : experiments_like(query.experiment)) {
    rows.reset().with(experiment, problem, candidate, limit_of(query.limit));
    while (rows.step()) ids.push_back(rows.whole(0));
  }
  rows.reset();
  keep_greatest(ids, query.limit);
  return ids;
}

std::vector<model::stored_comparison> sqlite_store::history(const ridge::store::history_query& query) {
  statement row(db_, fmt::format("SELECT {}{} FROM comparison c JOIN run r ON r.id = c.run WHERE c.id = ?1",
                                 ridge::store::comparison_columns, query.with_checks ? ", c.checks" : ""));
  std::vector<model::stored_comparison> all;
  ridge::store::axes_reader axes;
  for (const auto id : newest_comparisons(query)) {
    row.reset().with(id);
    if (!row.step()) continue;
    auto& one = all.emplace_back(ridge::store::stored_comparison_at(row, axes));
    if (!query.with_checks) continue;
    if (auto checks = model::checks_from_json(row.text(ridge::store::checks_column)))
      one.row.comparison.checks = std::move(*checks);
  }
  return all;
}

result<std::string> sqlite_store::full_id(std::string_view prefix) {
  statement rows(db_, "SELECT id FROM run WHERE id >= ?1 AND id < ?2 ORDER BY id LIMIT ?3");
  const auto end = ridge::store::end_of(prefix);
  rows.with(prefix, end, ridge::store::most_ids_named);
  std::vector<std::string> found;
  while (rows.step()) found.push_back(owned(rows, 0));
  return ridge::store::only_id(prefix, found);
}

result<model::run> sqlite_store::load_header(std::string_view id) {
  statement row(db_, R"(
    SELECT r.header, e.body, p.body, r.wall_s FROM run r
    JOIN document e ON e.id = r.environment_id JOIN document p ON p.id = r.peak_id WHERE r.id = ?1)");
  row.with(id);
  if (!row.step()) return error{fmt::format("run {} has no header in the store", id)};
  auto run = ridge::store::run_of_texts(id, row.text(0), row.text(1), row.text(2));
  if (!run) return run;
  run->wall_s = row.maybe_real(3).value_or(0);
  return run;
}

result<model::family> sqlite_store::load_family(std::int64_t id, std::string_view body) {
  auto family = model::family_from_json(body);
  if (!family) return family;
  statement rows(
      db_, "SELECT measurement, ordinal, data FROM series WHERE family = ?1 ORDER BY measurement, ordinal");
  rows.with(id);
  while (rows.step()) {
    auto read = ridge::store::decode_samples(*family, static_cast<std::size_t>(rows.whole(0)),
                                             static_cast<std::size_t>(rows.whole(1)), rows.blob(2));
    if (!read) return read.why();
  }
  return family;
}

result<model::run> sqlite_store::load(std::string_view id_or_prefix) {
  const auto id = full_id(id_or_prefix);
  if (!id) return id.why();
  auto run = load_header(*id);
  if (!run) return run;
  statement rows(db_, "SELECT id, body FROM family WHERE run = ?1 ORDER BY id");
  rows.with(*id);
  while (rows.step()) {
    auto family = load_family(rows.whole(0), rows.text(1));
    if (!family) return ridge::store::damaged_run(*id, family.why());
    run->families.push_back(std::move(*family));
  }
  return run;
}

model::holdings sqlite_store::counts() {
  statement row(db_, R"(
    SELECT (SELECT COUNT(*) FROM run), families, comparisons, samples FROM holding)");
  row.step();
  const auto count = [&](int column) { return static_cast<std::uint64_t>(row.whole(column)); };
  const model::holdings held{
      .runs = count(0), .families = count(1), .comparisons = count(2), .samples = count(3)};
  return held;
}

}  // namespace ridge::backends::store_sqlite
