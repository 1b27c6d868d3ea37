// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include <fmt/format.h>

#include <ridge/changes/changes_json.hpp>
#include <ridge/changes/stored_changes.hpp>
#include <ridge/model/json_writer.hpp>

#include "api/api.hpp"
#include "api/change_shapes.hpp"
#include "api/point_buckets.hpp"
#include "api/rows.hpp"
#include "api/series_rows.hpp"
#include "api/shapes.hpp"

namespace ridge::app_serve {
namespace {

using server::value_type;

result<std::string> list_of_workloads(store::store& store, const server::request& asked) {
  const auto query = workload_query_of(asked);
  if (!query) return query.why();
  model::json_writer json;
  json.begin_object().key("items").begin_array();
  for (const auto& one : store.workloads(*query)) {
    json.begin_object();
    write_workload_members(json, one);
    json.end_object();
  }
  json.end_array().key("next").null().end_object();
  return std::move(json).take();
}

result<std::string> one_series(store::store& store, const server::request& asked) {
  const auto series = series_named(store, asked);
  if (!series) return series.why();
  const auto workload = store.workloads({.series = series->id}).at(0);
  model::json_writer json;
  json.begin_object().key("series");
  write_series(json, *series, workload);
  json.key("workload").begin_object();
  write_workload_members(json, workload);
  json.end_object().end_object();
  return std::move(json).take();
}

void write_changes(const api& shared, model::json_writer& json, store::store& store, std::int64_t series) {
  const auto all = shared.changes->known(store, {.series = series}).found;
  const auto seen = all.empty() ? changes::series_changes{} : all.front();
  json.field("enough", seen.enough).key("segments");
  changes::write_segments(json, seen);
  json.key("changes");
  changes::write_changes(json, seen);
  json.key("watching");
  changes::write_watching(json, seen);
  json.key("notes").begin_array();
  for (const auto& note : store.notes()) {
    if (note.series != series) continue;
    json.begin_object().field("run", note.run).field("state", note.state).field("note", note.note);
    json.field("stated", note.stated).end_object();
  }
  json.end_array();
}

template <class Value>
void write_points(model::json_writer& json, std::string_view name,
                  const std::vector<model::measured_point>& points, Value value) {
  json.key(name).begin_array(true);
  for (const auto& point : points) json.value(value(point));
  json.end_array();
}

result<std::string> points_of(const api& shared, store::store& store, const server::request& asked) {
  const auto series = series_named(store, asked);
  if (!series) return series.why();
  const auto id = series->id;
  auto points = store.points({.series = id,
                              .first_run = query_value(asked, "first").value_or(""),
                              .last_run = query_value(asked, "last").value_or("")});
  const auto all = points.size();
  if (const auto text = query_value(asked, "px"); text && !text->empty()) {
    const auto buckets = whole_number(*text).value_or(0);
    if (buckets < 1 || buckets > 100'000)
      return error{fmt::format("the parameter \"px\" is \"{}\"", *text),
                   "give a whole number from 1 to 100000"};
    points = thinned(std::move(points), buckets);
  }
  model::json_writer json;
  json.begin_object().field("series", id).field("points", all);
  using point = model::measured_point;
  write_points(json, "run", points, [](const point& p) { return std::string_view(p.run); });
  write_points(json, "started", points, [](const point& p) { return std::string_view(p.started); });
  write_points(json, "environment", points, [](const point& p) { return p.environment; });
  write_points(json, "median", points, [](const point& p) { return p.median; });
  write_points(json, "lo", points, [](const point& p) { return p.ci.lo; });
  write_points(json, "hi", points, [](const point& p) { return p.ci.hi; });
  write_points(json, "samples", points, [](const point& p) { return p.samples; });
  write_changes(shared, json, store, id);
  json.end_object();
  return std::move(json).take();
}

server::schema points_shape() {
  const auto column = [](std::string name, value_type type, bool nullable = false) {
    return server::schema_member{std::move(name), array_of(plain(type, "", nullable))};
  };
  return object_of(
      {whole("series"),
       whole("points", "how many there are before they are thinned out"),
       column("run", value_type::text),
       column("started", value_type::text),
       column("environment", value_type::integer),
       column("median", value_type::number, true),
       column("lo", value_type::number, true),
       column("hi", value_type::number, true),
       column("samples", value_type::integer),
       {"enough", plain(value_type::truth, "so many points that a change can be told")},
       {"segments", array_of(segment_shape())},
       {"changes", array_of(change_shape())},
       {"watching", watching_shape()},
       {"notes", array_of(object_of({text("run"), text("state"), text("note"), text("stated")}))}});
}

}  // namespace

std::vector<server::route> series_routes(const api& shared) {
  std::vector<server::route> made;
  made.push_back(read_route(
      "/api/v1/workloads", "Comparable units: one problem of one experiment on one backend of one machine",
      workload_parameters(false), page_of_items(workload_shape()), asking(shared, list_of_workloads)));
  made.push_back(series_list_route(shared));
  made.push_back(series_samples_route(shared));
  made.push_back(read_route("/api/v1/series/{id}", "One series, and the workload that it belongs to", {},
                            object_of({{"series", series_shape()}, {"workload", workload_shape()}}),
                            asking(shared, one_series, series_exists)));
  made.push_back(
      read_route("/api/v1/series/{id}/points", "The points of a series, the oldest first",
                 {{.name = "first", .description = "from this run on", .may_be_empty = true},
                  {.name = "last", .description = "up to this run", .may_be_empty = true},
                  {.name = "px",
                   .type = value_type::integer,
                   .description = "at most so many buckets, each with its least and greatest point",
                   .may_be_empty = true}},
                 points_shape(),
                 asking(
                     shared,
                     [&shared](store::store& store, const server::request& asked) {
                       return points_of(shared, store, asked);
                     },
                     series_exists)));
  return made;
}

}  // namespace ridge::app_serve
