// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <ridge/base/text.hpp>
#include <ridge/model/run.hpp>
#include <ridge/store/run_import.hpp>

#include "api/rows.hpp"
#include "api/series_rows.hpp"
#include "api/shapes.hpp"

// The samples of one series in several runs: what a page draws over each other, in one answer.
namespace ridge::app_serve {
namespace {

using server::value_type;

constexpr std::size_t most_runs = 20;

result<std::vector<std::string>> runs_of(const server::request& asked) {
  std::vector<std::string> runs;
  const auto text = query_value(asked, "runs").value_or("");
  for (const auto part : split(text, ',')) {
    std::string id(trim(part));
    if (!store::is_run_id(id))
      return error{fmt::format("the parameter \"runs\" holds \"{}\"", id),
                   "give ids of runs with commas between them"};
    if (std::ranges::find(runs, id) == runs.end()) runs.push_back(std::move(id));
  }
  if (runs.size() > most_runs)
    return error{fmt::format("the parameter \"runs\" names {} runs", runs.size()),
                 fmt::format("give {} at most", most_runs)};
  return runs;
}

// The samples of the series in a run; null where the run has none.
const model::series* samples_in(const model::run& run, const model::workload& workload,
                                const model::measured_series& one) {
  for (const auto& family : run.families) {
    if (family.experiment != workload.experiment || family.backend != workload.backend ||
        model::text(family.problem) != workload.problem)
      continue;
    const auto seen = std::ranges::find(family.measurements, one.variant, &model::measurement::variant);
    if (seen == family.measurements.end()) continue;
    for (const auto& samples : seen->samples)
      if (samples.metric.name == one.metric.name) return &samples;
  }
  return nullptr;
}

result<std::string> samples_of_runs(store::store& store, const server::request& asked) {
  const auto series = series_named(store, asked);
  if (!series) return series.why();
  const auto runs = runs_of(asked);
  if (!runs) return runs.why();
  const auto workload = store.workloads({.series = series->id}).at(0);
  model::json_writer json;
  json.begin_object().field("series", series->id);
  write_metric(json, series->metric);
  json.key("items").begin_array();
  for (const auto& id : *runs) {
    const auto run = store.load(id);
    if (!run) return run.why();
    static const model::series none;
    const auto* found = samples_in(*run, workload, *series);
    const auto& samples = found != nullptr ? *found : none;
    json.begin_object().field("run", id).field("started", run->started);
    write_samples(json, samples);
    json.end_object();
  }
  json.end_array().key("next").null().end_object();
  return std::move(json).take();
}

server::schema samples_of_runs_shape() {
  const auto column = [](std::string name, std::string description) {
    return server::schema_member{std::move(name),
                                 array_of(plain(value_type::integer, std::move(description)))};
  };
  const auto of_run =
      object_of({text("run"),
                 text("started"),
                 {"value", array_of(plain(value_type::number, "empty: none are stored", true))},
                 column("round", "of each sample"),
                 column("position", "inside its round"),
                 column("marked", "1: interference was seen")});
  auto shape = page_of_items(of_run);
  for (auto& member : {whole("series"), text("metric"), text("unit"), text("better", "lower or higher")})
    shape.members.push_back(member);
  return shape;
}

}  // namespace

server::route series_samples_route(const api& shared) {
  return read_route(
      "/api/v1/series/{id}/samples", "The samples of a series in several runs, in the order of the runs",
      {{.name = "runs",
        .description = fmt::format("ids of runs with commas between them, {} at most", most_runs),
        .required = true}},
      samples_of_runs_shape(), asking(shared, samples_of_runs, series_exists));
}

}  // namespace ridge::app_serve
