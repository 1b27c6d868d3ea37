// SPDX-License-Identifier: Apache-2.0
#include "history_rows.hpp"

#include <map>
#include <tuple>

#include <fmt/format.h>

#include <ridge/model/json.hpp>

namespace ridge::backends::store_postgresql {
namespace {

// What families of one run have in common with others: their experiment, backend and problem.
using workload_key = std::tuple<std::string, std::string, std::string>;
// The number of a workload, a variant, and the name of its metric.
using series_key = std::tuple<std::int64_t, std::string, std::string>;

constexpr std::size_t most_rows = 1000;  // of one statement, which has at most 65,535 parameters

// What several families add to one workload.
struct added_workload {
  const model::family* newest = nullptr;
  std::int64_t newest_number = 0;
  std::size_t families = 0, comparisons = 0, samples = 0;
};

struct entered_workload {
  std::int64_t id = 0;
  bool is_newest = false;  // no later run has it
};

struct added_series {
  const model::measurement* measurement = nullptr;
  const model::estimate* estimate = nullptr;
  std::size_t points = 0;
};

workload_key key_of(const model::family& f) {
  return {f.experiment, std::string(name(f.backend)), model::text(f.problem)};
}

// Rows of parameters for VALUES: ($1::text, $2::bigint), ($3::text, $4::bigint).
class row_list {
 public:
  explicit row_list(std::vector<std::string_view> types) : types_(std::move(types)) {}
  template <std::size_t Columns>
  void add(std::array<value, Columns> row) {
    sql_ += sql_.empty() ? "(" : ", (";
    for (std::size_t i = 0; i < Columns; ++i) {
      given_.push_back(std::move(row[i]));
      sql_ += fmt::format("{}${}::{}", i == 0 ? "" : ", ", given_.size(), types_[i]);
    }
    sql_ += ')';
    ++rows_;
  }
  [[nodiscard]] std::size_t size() const { return rows_; }
  // Runs the statement with these rows in the place of {}, and forgets them. Short ones come again.
  rows run(session& statements, std::string_view statement) {
    constexpr std::size_t short_list = 24;
    const auto sql = fmt::format(fmt::runtime(statement), sql_);
    auto found = rows_ <= short_list ? statements.prepared(sql, given_) : statements.ask(sql, given_);
    given_.clear();
    sql_.clear();
    rows_ = 0;
    return found;
  }

 private:
  std::vector<std::string_view> types_;
  std::vector<value> given_{};
  std::string sql_{};
  std::size_t rows_ = 0;
};

// The newest family is the one of the newest run, whichever was entered last: old runs are imported, too.
// Rows stay locked until the transaction ends, so writers of one workload follow each other.
constexpr std::string_view enter_workloads_sql = R"(
  INSERT INTO workload AS w (machine, experiment, backend, problem, axes, title, goal, flop, bytes, items, families,
    comparisons, samples, latest, latest_run)
  VALUES {}
  ON CONFLICT (experiment, machine, backend, problem) DO UPDATE SET
    families = w.families + excluded.families, comparisons = w.comparisons + excluded.comparisons,
    samples = w.samples + excluded.samples,
    (title, goal, flop, bytes, items, latest, latest_run) = (SELECT
      CASE WHEN newer THEN excluded.title ELSE w.title END, CASE WHEN newer THEN excluded.goal ELSE w.goal END,
      CASE WHEN newer THEN excluded.flop ELSE w.flop END, CASE WHEN newer THEN excluded.bytes ELSE w.bytes END,
      CASE WHEN newer THEN excluded.items ELSE w.items END, CASE WHEN newer THEN excluded.latest ELSE w.latest END,
      CASE WHEN newer THEN excluded.latest_run ELSE w.latest_run END
      FROM (SELECT excluded.latest_run >= w.latest_run AS newer) AS order_of_runs)
  RETURNING experiment, backend, problem, id, latest_run)";

constexpr std::string_view enter_series_sql = R"(
  INSERT INTO history_series AS h (workload, variant, metric, role, unit, better, clock, points)
  VALUES {}
  ON CONFLICT (workload, variant, metric) DO UPDATE SET points = h.points + excluded.points
  RETURNING workload, variant, metric, id)";

// What a variant is and how its metric is read are those of the newest run, too.
constexpr std::string_view enter_newest_series_sql = R"(
  INSERT INTO history_series AS h (workload, variant, metric, role, unit, better, clock, points)
  VALUES {}
  ON CONFLICT (workload, variant, metric) DO UPDATE SET points = h.points + excluded.points,
    role = excluded.role, unit = excluded.unit, better = excluded.better, clock = excluded.clock
  RETURNING workload, variant, metric, id)";

// Returns the numbers of the workloads of these families. The map puts them in one order for all writers, so
// that two seldom wait for each other.
std::map<workload_key, entered_workload> enter_workloads(session& statements, const store::run_columns& run,
                                                         std::span<const std::int64_t> numbers,
                                                         std::span<const model::family> families) {
  std::map<workload_key, added_workload> added;
  for (std::size_t i = 0; i < families.size(); ++i) {
    auto& one = added[key_of(families[i])];
    one.newest = &families[i];
    one.newest_number = numbers[i];
    ++one.families;
    one.comparisons += families[i].comparisons.size();
    one.samples += store::samples_of(families[i]);
  }
  row_list list({"text", "text", "text", "text", "text", "text", "text", "float8", "float8", "float8",
                 "bigint", "bigint", "bigint", "bigint", "text"});
  std::map<workload_key, entered_workload> ids;
  const auto flush = [&] {
    list.run(statements, enter_workloads_sql).for_each([&](const row& one) {
      ids.emplace(workload_key{store::owned(one, 0), store::owned(one, 1), store::owned(one, 2)},
                  entered_workload{one.whole(3), one.text(4) == run.id});
    });
  };
  for (const auto& [key, one] : added) {
    const auto& f = *one.newest;
    const auto& [experiment, backend, problem] = key;
    list.add(values(run.machine, experiment, backend, problem, model::axes_json(f.problem), f.title,
                    name(f.goal), f.flop, f.bytes_read + f.bytes_written, f.items, one.families,
                    one.comparisons, one.samples, one.newest_number, run.id));
    if (list.size() == most_rows) flush();
  }
  if (list.size() > 0) flush();
  return ids;
}

// Calls `use` with every metric of a family that was measured.
template <class Use>
void for_each_estimate(const model::family& f, const Use& use) {
  for (const auto& m : f.measurements) {
    if (!store::was_measured(m)) continue;
    for (const auto& e : m.metrics) use(m, e);
  }
}

std::map<series_key, std::int64_t> enter_series(session& statements,
                                                const std::map<workload_key, entered_workload>& workloads,
                                                std::span<const model::family> families, bool newest) {
  std::map<series_key, added_series> added;
  for (const auto& f : families) {
    const auto [workload, is_newest] = workloads.at(key_of(f));
    if (is_newest != newest) continue;
    for_each_estimate(f, [&, id = workload](const model::measurement& m, const model::estimate& e) {
      auto& one = added[{id, m.variant, e.metric.name}];
      if (one.points++ > 0) return;
      one.measurement = &m;
      one.estimate = &e;
    });
  }
  row_list list({"bigint", "text", "text", "text", "text", "text", "text", "bigint"});
  std::map<series_key, std::int64_t> ids;
  const auto flush = [&] {
    list.run(statements, newest ? enter_newest_series_sql : enter_series_sql).for_each([&](const row& one) {
      ids.emplace(series_key{one.whole(0), store::owned(one, 1), store::owned(one, 2)}, one.whole(3));
    });
  };
  for (const auto& [key, one] : added) {
    const auto& [workload, variant, metric] = key;
    const auto& seen = one.estimate->metric;
    list.add(values(workload, variant, metric, name(one.measurement->role), seen.unit, name(seen.better),
                    name(seen.clock), one.points));
    if (list.size() == most_rows) flush();
  }
  if (list.size() > 0) flush();
  return ids;
}

}  // namespace

void enter_history_rows(session& statements, const store::run_columns& run,
                        std::span<const std::int64_t> numbers, std::span<const model::family> families) {
  const auto workloads = enter_workloads(statements, run, numbers, families);
  auto series = enter_series(statements, workloads, families, true);
  series.merge(enter_series(statements, workloads, families, false));
  added_rows<21> points{
      .table = "measurement",
      .columns = {"series",      "run",   "family",     "ordinal", "started", "environment", "median",
                  "lo",          "hi",    "samples",    "memory",  "arrays",  "energy",      "flop",
                  "bytes_moved", "items", "of_ceiling", "ceiling", "bound",   "abs_error",   "rel_error"}};
  for (std::size_t i = 0; i < families.size(); ++i) {
    const auto workload = workloads.at(key_of(families[i])).id;
    std::int64_t ordinal = 0;
    for_each_estimate(families[i], [&](const model::measurement& m, const model::estimate& e) {
      points.rows.push_back(values(series.at({workload, m.variant, e.metric.name}), run.id, numbers[i],
                                   ordinal++, run.started, run.environment, e.median, e.ci.lo, e.ci.hi,
                                   store::samples_of(m, e.metric), store::memory_of(m),
                                   m.memory.reserved_bytes, m.energy_j, m.flop, m.bytes_moved, m.items,
                                   m.of_ceiling, m.ceiling, name(m.bound), m.max_abs_error, m.max_rel_error));
    });
  }
  statements.copy(points);
}

}  // namespace ridge::backends::store_postgresql
