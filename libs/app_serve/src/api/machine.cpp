// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <utility>

#include <ridge/hardware/hardware_catalogue.hpp>
#include <ridge/model/json.hpp>
#include <ridge/probe/roofline_charts.hpp>

#include "api/api.hpp"
#include "api/printed_document.hpp"
#include "api/shapes.hpp"

namespace ridge::app_serve {
namespace {

result<std::string> roofline(store::store& store, const server::request& asked) {
  auto id = query_value(asked, "run").value_or("");
  if (id.empty()) {
    const auto newest = store.runs({.limit = 1});
    if (newest.empty()) return model::roofline_json({});
    id = newest.front().id;
  }
  const auto run = store.load(id);
  if (!run) return run.why();
  return model::roofline_json(probe::roofline_of(*run, hardware::catalogue::embedded()));
}

// The ceilings of the newest stored run of a machine; null where none is stored.
std::string ceilings_of(store::store& store, const std::string& machine) {
  constexpr std::size_t looked_at = 50;
  for (const auto& entry : store.runs({.limit = looked_at})) {
    if (entry.machine != machine) continue;
    const auto run = store.load(entry.id);
    return run && !run->peak.ceilings.empty() ? model::peak_json(run->peak) : "null";
  }
  return "null";
}

server::response machine(const api& shared, printed_document& probe, printed_document& audit) {
  const auto tree = probe.text();
  if (!tree) return server::problem(503, tree.why());
  const auto findings = audit.text();
  if (!findings) return server::problem(503, findings.why());
  const auto root = model::probe_from_json(*tree);
  if (!root) return server::problem(503, root.why());
  return from_store(shared, [&](store::store& store) {
    return server::json_response(R"({"schema":"ridge.machine/1","probe":)" + *tree + R"(,"audit":)" +
                                 *findings + R"(,"peak":)" + ceilings_of(store, root->name) + "}");
  });
}

}  // namespace

std::vector<server::route> machine_routes(const api& shared) {
  std::vector<server::route> made;
  made.push_back(
      read_route("/api/v1/roofline", "Kernels of a run under the limits of its machine (ridge.roofline/1)",
                 {{.name = "run", .description = "the id of a run (the newest)", .may_be_empty = true}},
                 open_object({text("schema")}), asking(shared, roofline)));
  auto probe = std::make_shared<printed_document>(shared, std::vector<std::string>{"probe", "--json"});
  auto audit = std::make_shared<printed_document>(
      shared, std::vector<std::string>{"audit", "--json", "--fail-on", "never"});
  auto peak = open_object({text("schema")});
  peak.nullable = true;
  peak.description = "the ceilings of its newest stored run; null where there is none";
  made.push_back(read_route(
      "/api/v1/machine", "This machine: its parts, what distorts measurements, its ceilings", {},
      object_of({text("schema"),
                 {"probe", open_object({text("schema"), {"machine", open_object()}})},
                 {"audit", open_object({text("schema"), {"checks", array_of(open_object())}})},
                 {"peak", peak}}),
      [&shared, probe, audit](const server::request&) { return machine(shared, *probe, *audit); }));
  return made;
}

}  // namespace ridge::app_serve
