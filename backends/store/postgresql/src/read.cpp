// SPDX-License-Identifier: Apache-2.0
#include <map>

#include <fmt/format.h>

#include <ridge/model/json.hpp>

#include "patterns.hpp"
#include "postgresql_store.hpp"

namespace ridge::backends::store_postgresql {
namespace {

using namespace ridge::store;

// Experiments are few however many runs there are: an index serves each, where a pattern would look at all
// rows. The newest of all are among the newest of each. $1 is the pattern.
constexpr std::string_view each_experiment =
    "(SELECT DISTINCT experiment FROM workload WHERE experiment LIKE $1) e CROSS JOIN LATERAL";

constexpr std::string_view entry_columns =
    "SELECT r.id, r.started, r.machine, r.profile, r.wall_s, (SELECT count(*) FROM family f WHERE f.run = "
    "r.id), "
    "(SELECT count(*) FROM family f JOIN comparison c ON c.family = f.id WHERE f.run = r.id) FROM run r";

std::string comparisons_of(const history_query& query) {
  return fmt::format(
      "(SELECT c.id FROM comparison c WHERE c.experiment = e.experiment{}{} ORDER BY c.id DESC LIMIT $2)",
      query.problem ? " AND c.problem = $3" : "",
      query.candidate ? fmt::format(" AND c.candidate = ${}", query.problem ? 4 : 3) : "");
}

// Fills in the samples of the families of a run, whose places are given by the numbers of their rows.
result<void> read_samples(session& statements, const std::string& id,
                          const std::map<std::int64_t, std::size_t>& places, model::run& run) {
  const auto found = statements.ask(
      "SELECT s.family, s.measurement, s.ordinal, s.data FROM series s JOIN family f ON f.id = s.family "
      "WHERE f.run = $1",
      values(id));
  for (std::size_t i = 0; i < found.size(); ++i) {
    const auto one = found.at(i);
    const auto read =
        decode_samples(run.families[places.at(one.whole(0))], static_cast<std::size_t>(one.whole(1)),
                       static_cast<std::size_t>(one.whole(2)), one.blob(3));
    if (!read) return damaged_run(id, read.why());
  }
  return {};
}

result<model::run> run_with_families(session& statements, const std::string& id) {
  const auto header = statements.ask(
      "SELECT r.header, e.body, p.body, r.wall_s FROM run r JOIN document e ON e.id = r.environment_id "
      "JOIN document p ON p.id = r.peak_id WHERE r.id = $1",
      values(id));
  const auto columns = header.at(0);
  auto run = run_of_texts(id, columns.text(0), columns.text(1), columns.text(2));
  if (!run) return run;
  run->wall_s = columns.maybe_real(3).value_or(0);
  const auto families = statements.ask("SELECT id, body FROM family WHERE run = $1 ORDER BY id", values(id));
  std::map<std::int64_t, std::size_t> places;
  for (std::size_t i = 0; i < families.size(); ++i) {
    const auto one = families.at(i);
    auto family = model::family_from_json(one.text(1));
    if (!family) return damaged_run(id, family.why());
    places.emplace(one.whole(0), i);
    run->families.push_back(std::move(*family));
  }
  if (auto read = read_samples(statements, id, places, *run); !read) return read.why();
  return run;
}

}  // namespace

std::vector<run_entry> postgresql_store::runs(const run_query& query) {
  const auto any = query.experiment == "*";
  const auto found =
      any ? database_.ask(
                fmt::format("{} WHERE $1 = '' OR r.id < $1 ORDER BY r.id DESC LIMIT $2", entry_columns),
                values(query.before, limit_of(query.limit)))
          : database_.ask(
                fmt::format(
                    "{} JOIN (SELECT DISTINCT n.run FROM {} (SELECT DISTINCT f.run FROM family f WHERE "
                    "f.experiment = e.experiment AND ($2 = '' OR f.run < $2) ORDER BY f.run DESC LIMIT $3) n "
                    "ORDER BY n.run DESC LIMIT $3) newest ON newest.run = r.id ORDER BY r.id DESC",
                    entry_columns, each_experiment),
                values(like_pattern(query.experiment), query.before, limit_of(query.limit)));
  std::vector<run_entry> all;
  all.reserve(found.size());
  found.for_each([&](const row& one) {
    all.push_back({.id = owned(one, 0),
                   .started = owned(one, 1),
                   .machine = owned(one, 2),
                   .profile = owned(one, 3),
                   .wall_s = one.maybe_real(4),
                   .families = static_cast<std::uint64_t>(one.whole(5)),
                   .comparisons = static_cast<std::uint64_t>(one.whole(6))});
  });
  return all;
}

std::vector<model::stored_comparison> postgresql_store::history(const history_query& query) {
  std::vector<value> given{like_pattern(query.experiment), as_value(limit_of(query.limit))};
  if (query.problem) given.push_back(*query.problem);
  if (query.candidate) given.push_back(*query.candidate);
  const auto found = database_.ask(
      fmt::format("SELECT {}{} FROM (SELECT n.id FROM {} {} n ORDER BY n.id DESC LIMIT $2) newest "
                  "JOIN comparison c ON c.id = newest.id JOIN run r ON r.id = c.run ORDER BY c.id DESC",
                  ridge::store::comparison_columns, query.with_checks ? ", c.checks" : "", each_experiment,
                  comparisons_of(query)),
      given);
  std::vector<model::stored_comparison> all;
  all.reserve(found.size());
  axes_reader axes;
  found.for_each([&](const row& one) {
    auto& stored = all.emplace_back(stored_comparison_at(one, axes));
    if (!query.with_checks) return;
    if (auto checks = model::checks_from_json(one.text(checks_column)))
      stored.row.comparison.checks = std::move(*checks);
  });
  return all;
}

result<model::run> postgresql_store::load(std::string_view id_or_prefix) {
  result<model::run> loaded = error{"nothing was read"};
  database_.read([&](session& statements) {
    std::vector<std::string> ids;
    statements
        .ask("SELECT id FROM run WHERE id >= $1 AND id < $2 ORDER BY id LIMIT $3",
             values(id_or_prefix, end_of(id_or_prefix), most_ids_named))
        .for_each([&](const row& one) { ids.push_back(owned(one, 0)); });
    const auto id = only_id(id_or_prefix, ids);
    loaded = id ? run_with_families(statements, *id) : id.why();
  });
  return loaded;
}

model::holdings postgresql_store::counts() {
  const auto found = database_.ask(
      "SELECT (SELECT count(*) FROM run), coalesce(sum(families), 0), coalesce(sum(comparisons), 0), "
      "coalesce(sum(samples), 0) FROM workload");
  const auto row = found.at(0);
  const auto count = [&](int column) { return static_cast<std::uint64_t>(row.whole(column)); };
  return {.runs = count(0), .families = count(1), .comparisons = count(2), .samples = count(3)};
}

}  // namespace ridge::backends::store_postgresql
