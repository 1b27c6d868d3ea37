// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <map>
#include <string>
#include <utility>

#include <fmt/format.h>

#include <ridge/base/escape.hpp>
#include <ridge/model/json_writer.hpp>

#include "api/api.hpp"
#include "api/rows.hpp"
#include "api/shapes.hpp"

// The points of series as a table for other programs: one row for each.
namespace ridge::app_serve {
namespace {

using server::value_type;

constexpr std::uint64_t most_points = 1'000'000;  // some 200 MB

struct exported_point {
  const model::workload& workload;
  const model::measured_series& series;
  const model::measured_point& point;
};

using row_writer = void (*)(std::string& table, const exported_point& one);

std::string number_or_nothing(double value) { return std::isfinite(value) ? fmt::format("{}", value) : ""; }

constexpr std::string_view header_of_csv =
    "series,machine,experiment,problem,backend,variant,metric,unit,better,run,started,environment,median,lo,"
    "hi,"
    "samples\r\n";

// RFC 4180.
void write_csv(std::string& table, const exported_point& one) {
  const auto& [w, s, p] = one;
  table += fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}\r\n", s.id, csv_cell(w.machine),
                       csv_cell(w.experiment), csv_cell(w.problem), name(w.backend), csv_cell(s.variant),
                       csv_cell(s.metric.name), csv_cell(s.metric.unit), name(s.metric.better),
                       csv_cell(p.run), csv_cell(p.started), p.environment, number_or_nothing(p.median),
                       number_or_nothing(p.ci.lo), number_or_nothing(p.ci.hi), p.samples);
}

void write_line(std::string& table, const exported_point& one) {
  const auto& [w, s, p] = one;
  model::json_writer json;
  json.begin_object().field("series", s.id).field("machine", w.machine).field("experiment", w.experiment);
  json.field("problem", w.problem).field("backend", name(w.backend)).field("variant", s.variant);
  write_metric(json, s.metric);
  json.field("run", p.run).field("started", p.started).field("environment", p.environment);
  json.field("median", p.median).field("lo", p.ci.lo).field("hi", p.ci.hi).field("samples", p.samples);
  json.end_object();
  table += std::move(json).take() + '\n';
}

result<std::string> table_of(store::store& store, const server::request& asked, std::string table,
                             row_writer write) {
  auto query = workload_query_of(asked);
  if (!query) return query.why();
  const auto id = whole_number_given(asked, "series");
  if (!id) return id.why();
  if (*id) query->series = static_cast<std::int64_t>(**id);
  const auto all = store.series(*query);
  if (*id && all.empty()) return error{fmt::format("there is no such series {}", **id), "see /api/v1/series"};
  std::uint64_t points = 0;
  for (const auto& one : all) points += one.points;
  if (points > most_points)
    return error{
        fmt::format("these series have {} points", points),
        fmt::format("at most {} are exported at once: choose an experiment, machine or series", most_points)};
  query->variant.reset();
  std::map<std::int64_t, model::workload> workloads;
  for (auto& one : store.workloads(*query)) workloads.emplace(one.id, std::move(one));
  for (const auto& one : all) {
    const auto workload = workloads.find(one.workload);
    if (workload == workloads.end()) continue;  // beyond the limit of the query
    for (const auto& point : store.points({.series = one.id})) write(table, {workload->second, one, point});
  }
  return table;
}

server::route export_route(const api& shared, const std::string& ending, const std::string& type,
                           std::string_view header, row_writer write) {
  const auto made = asking(shared, [header, write](store::store& store, const server::request& asked) {
    return table_of(store, asked, std::string(header), write);
  });
  auto parameters = workload_parameters(true);
  parameters.push_back({.name = "series",
                        .type = value_type::integer,
                        .description = "only the series of this id",
                        .may_be_empty = true});
  return {.pattern = "/api/v1/export." + ending,
          .answer =
              [made, ending, type](const server::request& asked) {
                auto answer = made(asked);
                if (answer.status != 200) return answer;
                answer.content_type = type;
                answer.fields.push_back(
                    {"Content-Disposition", "attachment; filename=\"ridge-series." + ending + "\""});
                return answer;
              },
          .summary = "The points of series, one on each line (" + ending + ")",
          .parameters = std::move(parameters),
          .content_type = type};
}

}  // namespace

std::vector<server::route> export_routes(const api& shared) {
  return {export_route(shared, "csv", "text/csv; charset=utf-8", header_of_csv, write_csv),
          export_route(shared, "ndjson", "application/x-ndjson", "", write_line)};
}

}  // namespace ridge::app_serve
