// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <ridge/base/text.hpp>
#include <ridge/model/json.hpp>
#include <ridge/store/sample_blob.hpp>

#include "rows.hpp"
#include "sqlite_store.hpp"

namespace ridge::backends::store_sqlite {
namespace {

// The reading below relies on the order of these columns.
constexpr std::string_view columns = R"(
  SELECT c.run, r.started, r.machine, c.experiment, c.problem, c.axes, c.backend, c.metric, c.unit, c.better, c.clock,
    c.ratio, c.lo, c.hi, c.level, c.verdict, c.judged, c.headline, c.assurance, c.pairs, c.aa_lo, c.aa_hi,
    c.reference, c.reference_median, c.reference_lo, c.reference_hi, c.reference_of_ceiling, c.reference_bound,
    c.reference_memory, c.reference_energy,
    c.candidate, c.candidate_median, c.candidate_lo, c.candidate_hi, c.candidate_of_ceiling, c.candidate_bound,
    c.candidate_memory, c.candidate_energy, c.checks
  FROM comparison c JOIN run r ON r.id = c.run WHERE )";

model::arm arm_at(const statement& s, int column, const std::string& unit) {
  return {.variant = owned(s, column),
          .median = s.real(column + 1),
          .ci = {s.real(column + 2), s.real(column + 3)},
          .unit = unit,
          .of_ceiling = s.maybe_real(column + 4),
          .bound = word<model::bound>(s, column + 5),
          .memory_bytes = s.maybe_real(column + 6),
          .energy_j = s.maybe_real(column + 7)};
}

model::stored_comparison stored_at(const statement& s) {
  model::stored_comparison one{.run = owned(s, 0), .started = owned(s, 1), .machine = owned(s, 2)};
  one.row.experiment = owned(s, 3);
  one.row.problem = owned(s, 4);
  one.row.backend = word<model::backend>(s, 6);
  one.row.comparison = comparison_at(s, 7, 22, 30);
  const auto unit = one.row.comparison.metric.unit;
  one.row.arms = {arm_at(s, 22, unit), arm_at(s, 30, unit)};
  return one;
}

error damaged(std::string_view run, const error& why) {
  return {fmt::format("run {} cannot be read from the store: {}", run, why.message), why.remedy};
}

}  // namespace

std::vector<ridge::store::run_entry> sqlite_store::runs(const ridge::store::run_query& query) {
  statement rows(db_, R"(
    SELECT id, started, machine, profile, wall_s, (SELECT COUNT(*) FROM family f WHERE f.run = r.id),
           (SELECT COUNT(*) FROM family f JOIN comparison c ON c.family = f.id WHERE f.run = r.id)
    FROM run r
    WHERE (?1 = '*' OR EXISTS (SELECT 1 FROM family f WHERE f.run = r.id AND f.experiment GLOB ?1))
      AND (?3 = '' OR id < ?3)
    ORDER BY id DESC LIMIT ?2)");
  const auto pattern = sqlite_glob(query.experiment);
  rows.with(pattern, limit_of(query.limit), query.before);
  std::vector<ridge::store::run_entry> all;
  while (rows.step()) {
    all.push_back({.id = owned(rows, 0),
                   .started = owned(rows, 1),
                   .machine = owned(rows, 2),
                   .profile = owned(rows, 3),
                   .wall_s = rows.maybe_real(4),
                   .families = static_cast<std::uint64_t>(rows.whole(5)),
                   .comparisons = static_cast<std::uint64_t>(rows.whole(6))});
  }
  return all;
}

std::vector<model::stored_comparison> sqlite_store::history(const ridge::store::history_query& query) {
  const bool glob = is_glob(query.experiment);
  const auto experiment = glob ? sqlite_glob(query.experiment) : query.experiment;
  const auto sql =
      fmt::format("{} c.experiment {} ?1 {} {} ORDER BY c.id DESC LIMIT ?4", columns, glob ? "GLOB" : "=",
                  query.problem ? "AND c.problem = ?2" : "", query.candidate ? "AND c.candidate = ?3" : "");
  statement rows(db_, sql);
  const auto problem = query.problem.value_or(""), candidate = query.candidate.value_or("");
  rows.with(experiment, problem, candidate, limit_of(query.limit));
  std::vector<model::stored_comparison> all;
  axes_reader axes;
  while (rows.step()) {
    auto& one = all.emplace_back(stored_at(rows));
    one.row.axes = axes.read(rows.text(5));
    if (!query.with_checks) continue;
    if (auto checks = model::checks_from_json(rows.text(38))) one.row.comparison.checks = std::move(*checks);
  }
  return all;
}

result<std::string> sqlite_store::full_id(std::string_view prefix) {
  statement rows(db_, "SELECT id FROM run WHERE substr(id, 1, length(?1)) = ?1 ORDER BY id LIMIT 9");
  rows.with(prefix);
  std::vector<std::string> found;
  while (rows.step()) found.push_back(owned(rows, 0));
  if (!found.empty() && found.front() == prefix) return found.front();
  if (found.size() == 1 && !prefix.empty()) return found.front();
  if (found.empty() || prefix.empty()) {
    return error{fmt::format("no run starts with '{}'", prefix),
                 "`ridge history` lists the runs in the store"};
  }
  return error{fmt::format("'{}' could be {}", prefix, join(found, ", ")), "give more of the id"};
}

result<model::run> sqlite_store::load_header(std::string_view id) {
  statement row(db_, R"(
    SELECT r.header, e.body, p.body, r.wall_s FROM run r
    JOIN document e ON e.id = r.environment_id JOIN document p ON p.id = r.peak_id WHERE r.id = ?1)");
  row.with(id);
  if (!row.step()) return error{fmt::format("run {} has no header in the store", id)};
  auto run = model::run_from_json(row.text(0));
  if (!run) return damaged(id, run.why());
  auto environment = model::environment_from_json(row.text(1));
  if (!environment) return damaged(id, environment.why());
  auto peak = model::peak_from_json(row.text(2));
  if (!peak) return damaged(id, peak.why());
  run->environment = std::move(*environment);
  run->peak = std::move(*peak);
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
    const auto m = static_cast<std::size_t>(rows.whole(0)), s = static_cast<std::size_t>(rows.whole(1));
    if (m >= family->measurements.size() || s >= family->measurements[m].samples.size()) {
      return error{"samples of a series that its family does not name"};
    }
    if (auto read = ridge::store::decode(rows.blob(2), family->measurements[m].samples[s]); !read)
      return read.why();
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
    if (!family) return damaged(*id, family.why());
    run->families.push_back(std::move(*family));
  }
  return run;
}

model::holdings sqlite_store::counts() {
  statement row(db_, R"(
    SELECT (SELECT COUNT(*) FROM run), (SELECT COUNT(*) FROM family), (SELECT COUNT(*) FROM comparison),
           (SELECT COALESCE(SUM(samples), 0) FROM series))");
  row.step();
  const auto count = [&](int column) { return static_cast<std::uint64_t>(row.whole(column)); };
  const model::holdings held{
      .runs = count(0), .families = count(1), .comparisons = count(2), .samples = count(3)};
  return held;
}

}  // namespace ridge::backends::store_sqlite
