// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <functional>
#include <map>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "api/api.hpp"
#include "api/printed_document.hpp"
#include "api/shapes.hpp"

// The experiments of this program by chapter, each with what is stored of it.
namespace ridge::app_serve {
namespace {

using nlohmann::json;
using server::value_type;

struct stored_experiment {
  std::uint64_t workloads = 0;
  std::string newest{};
};

std::map<std::string, stored_experiment> stored_experiments(store::store& store) {
  std::map<std::string, stored_experiment> made;
  for (const auto& seen : store.latest({})) {
    auto& one = made[seen.workload.experiment];
    ++one.workloads;
    one.newest = std::max(one.newest, seen.started);
  }
  return made;
}

json variants_of(const json& experiment) {
  json made = json::array();
  for (const auto& variant : experiment.value("variants", json::array()))
    made.push_back({{"name", variant.value("name", "")},
                    {"role", variant.value("role", "")},
                    {"backend", variant.value("backend", "")},
                    {"idea", variant.value("idea", "")},
                    {"unavailable", variant.value("unavailable", "")}});
  return made;
}

json entry_of(const json& experiment, const std::map<std::string, stored_experiment>& stored) {
  const auto id = experiment.value("id", "");
  json made{{"id", id},
            {"title", experiment.value("title", "")},
            {"question", experiment.value("question", "")},
            {"goal", experiment.value("goal", "")},
            {"tags", experiment.value("tags", json::array())},
            {"variants", variants_of(experiment)},
            {"workloads", 0},
            {"newest", nullptr}};
  if (const auto found = stored.find(id); found != stored.end()) {
    made["workloads"] = found->second.workloads;
    made["newest"] = found->second.newest;
  }
  return made;
}

// Experiments are in order of their ids, so those of a chapter follow each other.
std::string chapters(const json& catalogue, const std::map<std::string, stored_experiment>& stored) {
  json all = json::array();
  for (const auto& experiment : catalogue.value("experiments", json::array())) {
    const auto id = experiment.value("id", "");
    const auto chapter = id.substr(0, id.find('.'));
    if (all.empty() || all.back().at("id") != chapter)
      all.push_back({{"id", chapter}, {"experiments", json::array()}});
    all.back()["experiments"].push_back(entry_of(experiment, stored));
  }
  return json{{"chapters", all}}.dump();
}

server::response answer(const api& shared, printed_document& printed) {
  const auto text = printed.text();
  if (!text) return server::problem(503, text.why());
  const auto revision = shared.stores.revision();
  const auto key = fmt::format("catalogue {:016x}", std::hash<std::string>()(*text));
  if (const auto kept = shared.answers.find(key, revision)) return server::json_response(*kept);
  const auto catalogue = json::parse(*text, nullptr, false);
  if (!catalogue.is_object())
    return server::problem(503, {"`ridge list --json` printed no catalogue", "run it by hand"});
  return from_store(shared, [&](store::store& store) {
    auto document = chapters(catalogue, stored_experiments(store));
    shared.answers.keep(key, revision, document);
    return server::json_response(std::move(document));
  });
}

server::schema catalogue_shape() {
  const auto variant = object_of({text("name"), text("role"), text("backend"), text("idea"),
                                  text("unavailable", "why this machine cannot run it; empty: it can")});
  const auto experiment = object_of({text("id"),
                                     text("title"),
                                     text("question"),
                                     text("goal"),
                                     {"tags", array_of(plain(value_type::text))},
                                     {"variants", array_of(variant)},
                                     whole("workloads", "how many are stored"),
                                     {"newest", plain(value_type::text, "when it was measured last", true)}});
  return object_of({{"chapters", array_of(object_of({text("id"), {"experiments", array_of(experiment)}}))}});
}

}  // namespace

std::vector<server::route> catalogue_routes(const api& shared) {
  auto printed = std::make_shared<printed_document>(shared, std::vector<std::string>{"list", "--json"});
  return {read_route("/api/v1/catalogue", "Chapters, their experiments, and what is stored of them", {},
                     catalogue_shape(),
                     [&shared, printed](const server::request&) { return answer(shared, *printed); })};
}

}  // namespace ridge::app_serve
