// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>

#include <fmt/format.h>

#include <ridge/model/json.hpp>

#include "patterns.hpp"
#include "postgresql_store.hpp"

namespace ridge::backends::store_postgresql {
namespace {

using namespace ridge::store;

// The condition on workloads and its parameters; further ones follow them.
struct workload_filter {
  explicit workload_filter(const workload_query& query) {
    matches("w.experiment", query.experiment);
    matches("w.machine", query.machine);
    if (query.backend) equals("w.backend", name(*query.backend));
    if (query.problem) equals("w.problem", *query.problem);
    if (query.series) {
      given.push_back(as_value(*query.series));
      sql += fmt::format(" AND w.id = (SELECT workload FROM history_series WHERE id = ${})", given.size());
    }
  }
  void matches(std::string_view column, const std::string& text) {
    if (text == "*") return;
    if (!is_glob(text)) return equals(column, text);
    given.push_back(like_pattern(text));
    sql += fmt::format(" AND {} LIKE ${}", column, given.size());
  }
  void equals(std::string_view column, std::string_view text) {
    given.emplace_back(text);
    sql += fmt::format(" AND {} = ${}", column, given.size());
  }
  std::string limited(std::size_t limit) {
    given.push_back(as_value(limit_of(limit)));
    return fmt::format("LIMIT ${}", given.size());
  }

  std::string sql{"true"};
  std::vector<value> given{};
};

std::vector<model::change_note> notes_of(const rows& found) {
  std::vector<model::change_note> all;
  found.for_each([&](const row& one) {
    all.push_back({.series = one.whole(0),
                   .run = owned(one, 1),
                   .state = owned(one, 2),
                   .note = owned(one, 3),
                   .stated = owned(one, 4)});
  });
  return all;
}

// The newest families of workloads, and where each stands in the answer.
struct newest_families {
  std::map<std::int64_t, std::size_t> places{};

  // As an array of PostgreSQL: all are asked for at once, for a query for each would be a journey each.
  [[nodiscard]] std::array<value, 1> as_parameter() const {
    std::string list = "{";
    for (const auto& [number, place] : places)
      list += fmt::format("{}{}", list.size() > 1 ? "," : "", number);
    return {list + '}'};
  }
};

void read_measurements(session& statements, const newest_families& families,
                       std::vector<model::workload_result>& all) {
  statements
      .ask(fmt::format("SELECT {}, {}, m.family FROM measurement m JOIN history_series h ON h.id = m.series "
                       "WHERE m.family = ANY ($1::bigint[]) ORDER BY m.family, m.ordinal",
                       series_columns, point_columns),
           families.as_parameter())
      .for_each([&](const row& one) {
        const auto place = families.places.at(one.whole(series_width + point_width));
        all[place].measurements.push_back({series_at(one, 0), point_at(one, series_width)});
      });
}

void read_comparisons(session& statements, const newest_families& families,
                      std::vector<model::workload_result>& all) {
  statements
      .ask(fmt::format(
               "SELECT {}, c.family FROM comparison c WHERE c.family = ANY ($1::bigint[]) ORDER BY c.id",
               bare_comparison_columns),
           families.as_parameter())
      .for_each([&](const row& one) {
        const auto place = families.places.at(one.whole(bare_comparison_width));
        all[place].comparisons.push_back(comparison_at(one, 0, 15, 16));
      });
}

}  // namespace

std::vector<model::workload> postgresql_store::workloads(const workload_query& query) {
  workload_filter filter(query);
  const auto limit = filter.limited(query.limit);
  const auto found = database_.ask(fmt::format("SELECT {} FROM workload w WHERE {} {} {}", workload_columns,
                                               filter.sql, workload_order, limit),
                                   filter.given);
  std::vector<model::workload> all;
  axes_reader axes;
  found.for_each([&](const row& one) { all.push_back(workload_at(one, axes)); });
  return all;
}

std::vector<model::workload_result> postgresql_store::latest(const workload_query& query) {
  workload_filter filter(query);
  const auto limit = filter.limited(query.limit);
  std::vector<model::workload_result> all;
  database_.read([&](session& statements) {
    newest_families families;
    axes_reader axes;
    statements
        .ask(fmt::format("SELECT {}, w.latest, r.id, r.started, r.environment_id FROM workload w "
                         "JOIN run r ON r.id = w.latest_run WHERE {} {} {}",
                         workload_columns, filter.sql, workload_order, limit),
             filter.given)
        .for_each([&](const row& one) {
          all.push_back({.workload = workload_at(one, axes),
                         .run = owned(one, workload_width + 1),
                         .started = owned(one, workload_width + 2),
                         .environment = one.whole(workload_width + 3)});
          const auto family = one.whole(workload_width);
          if (!newest_.complete(family, all.back())) families.places.emplace(family, all.size() - 1);
        });
    if (families.places.empty()) return;
    read_measurements(statements, families, all);
    read_comparisons(statements, families, all);
    for (const auto& [family, place] : families.places) newest_.keep(family, all[place]);
  });
  return all;
}

std::vector<model::measured_series> postgresql_store::series(const workload_query& query) {
  workload_filter filter(query);
  if (query.variant) filter.equals("h.variant", *query.variant);
  if (query.series) filter.equals("h.id", std::to_string(*query.series));
  const auto limit = filter.limited(query.limit);
  const auto found = database_.ask(
      fmt::format("SELECT {} FROM history_series h JOIN workload w ON w.id = h.workload WHERE {} {}, "
                  "h.variant, h.metric {}",
                  series_columns, filter.sql, workload_order, limit),
      filter.given);
  std::vector<model::measured_series> all;
  found.for_each([&](const row& one) { all.push_back(series_at(one, 0)); });
  return all;
}

std::vector<model::measured_point> postgresql_store::points(const point_query& query) {
  const auto found = database_.ask(
      fmt::format(
          "SELECT {} FROM measurement m WHERE m.series = $1 AND m.run >= $2 AND ($3 = '' OR m.run <= $3) "
          "ORDER BY m.series DESC, m.run DESC, m.family DESC LIMIT $4",
          point_columns),
      values(query.series, query.first_run, query.last_run, limit_of(query.limit)));
  std::vector<model::measured_point> all;
  all.reserve(found.size());
  found.for_each([&](const row& one) { all.push_back(point_at(one, 0)); });
  std::ranges::reverse(all);  // the newest ones were asked for
  return all;
}

result<model::environment> postgresql_store::environment(std::int64_t number) {
  const auto found = database_.ask("SELECT body FROM document WHERE id = $1", values(number));
  if (found.size() == 0) return no_environment(number);
  return model::environment_from_json(found.at(0).text(0));
}

std::vector<model::change_note> postgresql_store::notes() {
  return notes_of(
      database_.ask("SELECT DISTINCT ON (series, run) series, run, state, note, stated FROM change_note "
                    "ORDER BY series, run, id DESC"));
}

std::vector<model::change_note> postgresql_store::all_notes() {
  return notes_of(database_.ask("SELECT series, run, state, note, stated FROM change_note ORDER BY id"));
}

}  // namespace ridge::backends::store_postgresql
