// SPDX-License-Identifier: Apache-2.0
#include <map>
#include <memory>

#include <ridge/app/exit_code.hpp>
#include <ridge/base/text.hpp>
#include <ridge/model/json_writer.hpp>
#include <ridge/report/table.hpp>

#include "catalogue/catalogue.hpp"
#include "commands/commands.hpp"

namespace ridge::app {
namespace {

struct declared {
  model::metric metric{};
  std::vector<std::string> deciding{};  // experiments whose verdicts it decides
  std::vector<std::string> beside{};    // experiments that show it beside another
};

std::map<std::string, declared> gather(const std::vector<model::experiment_description>& all) {
  std::map<std::string, declared> found;
  for (const auto& one : all) {
    for (std::size_t m = 0; m < one.metrics.size(); ++m) {
      auto& entry = found[one.metrics[m].name];
      entry.metric = one.metrics[m];
      (m == 0 ? entry.deciding : entry.beside).push_back(one.id);
    }
  }
  return found;
}

void write(model::json_writer& out, std::string_view key, const std::vector<std::string>& ids) {
  out.key(key).begin_array();
  for (const auto& id : ids) out.value(id);
  out.end_array();
}

std::string json(const std::map<std::string, declared>& found) {
  model::json_writer out(2);
  out.begin_object().field("schema", "ridge.metrics/1").key("metrics").begin_array();
  for (const auto& [name, entry] : found) {
    out.begin_object().field("name", name).field("unit", entry.metric.unit);
    out.field("better", model::name(entry.metric.better)).field("clock", model::name(entry.metric.clock));
    write(out, "decides", entry.deciding);
    write(out, "beside", entry.beside);
    out.end_object();
  }
  out.end_array().end_object();
  return std::move(out).take() + '\n';
}

std::string table_of(const std::map<std::string, declared>& found, const terminal& screen) {
  report::table table({{"METRIC"},
                       {"UNIT"},
                       {"BETTER"},
                       {"CLOCK"},
                       {"DECLARED BY (before the bar: as the deciding metric)"}});
  for (const auto& [name, entry] : found) {
    const auto by = join(entry.deciding, " ") + (entry.beside.empty() ? "" : " | " + join(entry.beside, " "));
    table.row({{name, report::tone::strong},
               {entry.metric.unit},
               {std::string(model::name(entry.metric.better))},
               {std::string(model::name(entry.metric.clock))},
               {by}});
  }
  return table.text(layout_on(screen));
}

int metrics(const context& program, bool as_json) {
  const auto found = gather(describe(program.experiments.all()));
  program.print(as_json ? json(found) : table_of(found, program.out));
  if (!as_json)
    program.print(
        "\nTime, peak memory and, where a meter exists, energy are recorded for every variant of every "
        "experiment.\n");
  return exit_code::good;
}

}  // namespace

void add_metrics(command& parent, context& program) {
  auto json = std::make_shared<bool>(false);
  parent.add("metrics", "Show which experiments declare which metrics")
      .flag("--json", *json, "Print one JSON object (ridge.metrics/1)")
      .runs([&program, json] { return metrics(program, *json); });
}

}  // namespace ridge::app
