// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <set>
#include <utility>

#include <ridge/model/json_writer.hpp>

#include "api/api.hpp"
#include "api/rows.hpp"
#include "api/shapes.hpp"

namespace ridge::app_serve {
namespace {

using server::value_type;

// Verdicts of the newest results, which are those that pages show.
std::size_t count_of(const std::vector<model::workload_result>& newest, model::verdict verdict) {
  std::size_t count = 0;
  for (const auto& one : newest)
    count +=
        static_cast<std::size_t>(std::ranges::count(one.comparisons, verdict, &model::comparison::verdict));
  return count;
}

result<std::string> summary(store::store& store, const server::request&) {
  const auto held = store.counts();
  const auto newest = store.latest({});
  const auto runs = store.runs({.limit = 1});
  std::set<std::string> machines, experiments;
  for (const auto& one : newest) {
    machines.insert(one.workload.machine);
    experiments.insert(one.workload.experiment);
  }
  model::json_writer json;
  json.begin_object().field("schema", "ridge.summary/1");
  json.field("runs", held.runs).field("families", held.families).field("comparisons", held.comparisons);
  json.field("samples", held.samples).key("machines").begin_array();
  for (const auto& machine : machines) json.value(machine);
  json.end_array().field("experiments", experiments.size()).field("workloads", newest.size());
  json.key("newest");
  if (runs.empty())
    json.null();
  else
    write_run_entry(json, runs.front());
  for (const auto& [name, verdict] : {std::pair{"better", model::verdict::better},
                                      {"worse", model::verdict::worse},
                                      {"inconclusive", model::verdict::inconclusive},
                                      {"invalid", model::verdict::invalid},
                                      {"unverified", model::verdict::unverified}})
    json.field(name, count_of(newest, verdict));
  json.end_object();
  return std::move(json).take();
}

server::schema summary_shape() {
  auto newest = run_entry_shape();
  newest.nullable = true;
  return object_of({text("schema"),
                    whole("runs"),
                    whole("families"),
                    whole("comparisons"),
                    whole("samples"),
                    {"machines", array_of(plain(value_type::text))},
                    whole("experiments"),
                    whole("workloads"),
                    {"newest", newest},
                    whole("better", "comparisons of the newest results with this verdict"),
                    whole("worse"),
                    whole("inconclusive"),
                    whole("invalid"),
                    whole("unverified")});
}

void write_measurement(model::json_writer& json, const model::latest_measurement& one) {
  const auto& point = one.point;
  json.begin_object().field("series", one.series.id).field("variant", one.series.variant);
  json.field("role", name(one.series.role));
  write_metric(json, one.series.metric);
  json.field("median", point.median)
      .field("lo", point.ci.lo)
      .field("hi", point.ci.hi)
      .field("samples", point.samples);
  write_optional(json, "memory_bytes", point.memory_bytes);
  write_optional(json, "energy_j", point.energy_j);
  json.field("flop", point.flop).field("bytes_moved", point.bytes_moved).field("items", point.items);
  write_optional(json, "of_ceiling", point.of_ceiling);
  json.field("bound", name(point.bound)).field("max_abs_error", point.max_abs_error);
  json.field("max_rel_error", point.max_rel_error).end_object();
}

void write_comparison(model::json_writer& json, const model::comparison& one) {
  json.begin_object().field("reference", one.reference).field("candidate", one.candidate);
  write_metric(json, one.metric);
  json.field("ratio", one.ratio).field("lo", one.ci.lo).field("hi", one.ci.hi);
  json.key("verdict");
  if (one.judged)
    json.value(name(one.verdict));
  else
    json.null();
  json.field("pairs", one.pairs).field("assurance", one.assurance).end_object();
}

result<std::string> benchmarks(store::store& store, const server::request& asked) {
  auto query = workload_query_of(asked);
  if (!query) return query.why();
  model::json_writer json;
  json.begin_object().key("items").begin_array();
  for (const auto& seen : store.latest(*query)) {
    json.begin_object();
    write_workload_members(json, seen.workload);
    json.field("run", seen.run).field("started", seen.started).field("environment", seen.environment);
    json.key("measurements").begin_array();
    for (const auto& one : seen.measurements) write_measurement(json, one);
    json.end_array().key("comparisons").begin_array();
    for (const auto& one : seen.comparisons) write_comparison(json, one);
    json.end_array().end_object();
  }
  json.end_array().key("next").null().end_object();
  return std::move(json).take();
}

server::schema benchmarks_shape() {
  const auto measurement = object_of(
      {whole("series"), text("variant"), text("role"), text("metric"), text("unit"), text("better"),
       number("median"), number("lo", "95 % interval of the median"), number("hi"), whole("samples"),
       number("memory_bytes", "of one call"), number("energy_j", "of one call"), number("flop"),
       number("bytes_moved"), number("items"), number("of_ceiling", "share of the limiting ceiling"),
       text("bound"), number("max_abs_error"), number("max_rel_error")});
  const auto comparison =
      object_of({text("reference"),
                 text("candidate"),
                 text("metric"),
                 text("unit"),
                 text("better"),
                 number("ratio", "how many times better the candidate is"),
                 number("lo"),
                 number("hi"),
                 {"verdict", plain(value_type::text, "null where it was only shown", true)},
                 whole("pairs"),
                 whole("assurance")});
  auto members = workload_shape().members;
  for (auto& more : std::vector<server::schema_member>{text("run"),
                                                       text("started"),
                                                       whole("environment"),
                                                       {"measurements", array_of(measurement)},
                                                       {"comparisons", array_of(comparison)}})
    members.push_back(std::move(more));
  return page_of_items(object_of(std::move(members)));
}

}  // namespace

std::vector<server::route> summary_routes(const api& shared) {
  std::vector<server::route> made;
  for (const std::string pattern : {"/api/v1/summary", "/api/summary"})
    made.push_back(read_route(pattern, "How much is stored, and how the newest results stand", {},
                              summary_shape(), asking(shared, summary)));
  for (const std::string pattern : {"/api/v1/benchmarks", "/api/benchmarks"})
    made.push_back(read_route(pattern, "The newest results of every workload", workload_parameters(false),
                              benchmarks_shape(), asking(shared, benchmarks)));
  return made;
}

}  // namespace ridge::app_serve
