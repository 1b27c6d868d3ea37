// SPDX-License-Identifier: Apache-2.0
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include <ridge/model/json.hpp>
#include <ridge/model/json_writer.hpp>
#include <ridge/server/page.hpp>
#include <ridge/store/run_import.hpp>

#include "api/api.hpp"
#include "api/rows.hpp"
#include "api/shapes.hpp"

namespace ridge::app_serve {
namespace {

using server::value_type;

result<std::string> list_of_runs(store::store& store, const server::request& asked) {
  const auto page = server::page_of(asked);
  if (!page) return page.why();
  store::run_query query{.before = query_value(asked, "before").value_or(""), .limit = page->limit + 1};
  if (page->after) query.before = *page->after;
  if (auto text = query_value(asked, "experiment").value_or(""); !text.empty()) query.experiment = text;
  auto entries = store.runs(query);
  const bool has_more = entries.size() > page->limit;
  if (has_more) entries.pop_back();
  model::json_writer json;
  json.begin_object().key("items").begin_array();
  for (const auto& entry : entries) write_run_entry(json, entry);
  json.end_array().key("next");
  if (has_more)
    json.value(server::next_cursor(entries.back().id));
  else
    json.null();
  json.end_object();
  return std::move(json).take();
}

using run_answer = std::function<server::response(const model::run&, const server::request&)>;

// Loads the run of the path, and answers 404 where there is none.
std::function<server::response(const server::request&)> of_run(const api& shared, run_answer answer) {
  return [&shared, answer = std::move(answer)](const server::request& asked) {
    const auto& id = path_value(asked, "id");
    if (!store::is_run_id(id)) return server::problem(404, {"there is no run " + id, "see /api/v1/runs"});
    return from_store(shared, [&](store::store& store) {
      const auto run = store.load(id);
      return run ? answer(*run, asked) : server::problem(404, run.why());
    });
  };
}

std::optional<std::size_t> index_of(const server::request& asked, std::string_view name, std::size_t size) {
  const auto index = whole_number(query_value(asked, name).value_or("0"));
  return index && *index < size ? index : std::nullopt;
}

std::string samples_json(const model::measurement& seen) {
  model::json_writer json;
  json.begin_object().field("variant", seen.variant).key("series").begin_array();
  for (const auto& one : seen.samples) {
    json.begin_object();
    write_metric(json, one.metric);
    write_samples(json, one);
    json.end_object();
  }
  json.end_array().end_object();
  return std::move(json).take();
}

// The values of the first metric as float64, little-endian, one after the other.
server::response samples_bytes(const model::measurement& seen) {
  server::response made;
  made.content_type = "application/octet-stream";
  if (seen.samples.empty()) return made;
  const auto& values = seen.samples.front().value;
  made.body.resize(values.size() * sizeof(double));
  if (!values.empty()) std::memcpy(made.body.data(), values.data(), made.body.size());
  return made;
}

server::response samples_of(const model::run& run, const server::request& asked) {
  const auto family = index_of(asked, "family", run.families.size());
  if (!family)
    return server::problem(
        400, {fmt::format("the run has {} families", run.families.size()), "give family=0 or another"});
  const auto& measurements = run.families[*family].measurements;
  const auto measurement = index_of(asked, "measurement", measurements.size());
  if (!measurement)
    return server::problem(400, {fmt::format("the family has {} measurements", measurements.size()),
                                 "give measurement=0 or another"});
  const auto& seen = measurements[*measurement];
  if (query_value(asked, "format") == "f64") return samples_bytes(seen);
  return server::json_response(samples_json(seen));
}

server::schema samples_shape() {
  const auto numbers = [](value_type type) { return array_of(plain(type)); };
  return object_of({text("variant"),
                    {"series", array_of(object_of({text("metric"),
                                                   text("unit"),
                                                   text("better"),
                                                   {"value", array_of(plain(value_type::number, "", true))},
                                                   {"round", numbers(value_type::integer)},
                                                   {"position", numbers(value_type::integer)},
                                                   {"marked", numbers(value_type::integer)}}))}});
}

}  // namespace

std::vector<server::route> run_routes(const api& shared) {
  auto parameters = server::page_parameters();
  parameters.push_back({.name = "experiment",
                        .description = "only runs that hold one that matches this glob",
                        .may_be_empty = true});
  parameters.push_back(
      {.name = "before", .description = "only runs before the one of this id", .may_be_empty = true});
  std::vector<server::route> made;
  made.push_back(read_route("/api/v1/runs", "Stored runs, the newest first", parameters,
                            page_of_items(run_entry_shape()), asking(shared, list_of_runs)));
  made.push_back(read_route("/api/v1/runs/{id}", "One run without its samples (ridge.run/1)", {},
                            open_object({text("schema"), text("id")}),
                            of_run(shared, [](const model::run& run, const server::request&) {
                              return server::json_response(model::to_json(run, model::samples::left_out));
                            })));
  made.push_back(read_route("/api/v1/runs/{id}/environment",
                            "What a run was made under (ridge.environment/1)", {},
                            open_object({text("schema"), text("machine")}),
                            of_run(shared, [](const model::run& run, const server::request&) {
                              return server::json_response(model::environment_json(run.environment));
                            })));
  made.push_back(
      read_route("/api/v1/runs/{id}/samples", "The samples of one variant",
                 {{.name = "family", .type = value_type::integer, .description = "from 0 (0)"},
                  {.name = "measurement", .type = value_type::integer, .description = "from 0 (0)"},
                  {.name = "format",
                   .description = "json, or f64: the values of the first metric as bytes",
                   .choices = {"json", "f64"}}},
                 samples_shape(), of_run(shared, samples_of)));
  return made;
}

}  // namespace ridge::app_serve
