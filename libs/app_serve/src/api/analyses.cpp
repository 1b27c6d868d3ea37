// SPDX-License-Identifier: Apache-2.0
#include <map>
#include <utility>

#include <ridge/model/json_writer.hpp>
#include <ridge/results/analysis.hpp>

#include "api/api.hpp"
#include "api/shapes.hpp"

namespace ridge::app_serve {
namespace {

using results::parameter_kind;
using server::value_type;

std::string_view name(parameter_kind kind) {
  switch (kind) {
    case parameter_kind::text:
      return "text";
    case parameter_kind::choice:
      return "choice";
    case parameter_kind::count:
      return "count";
    case parameter_kind::quantity:
      return "quantity";
    case parameter_kind::flag:
      return "flag";
  }
  return "text";
}

// Quantities may be written with a unit, so they are texts here; the analysis checks them.
server::parameter declared(const results::parameter& one) {
  server::parameter made{.name = std::string(one.key), .description = std::string(one.help)};
  if (!one.unit.empty()) made.description += ", in " + std::string(one.unit) + " where no unit is given";
  if (!one.preset.empty()) made.description += " (" + std::string(one.preset) + ")";
  if (one.kind == parameter_kind::count) made.type = value_type::integer;
  for (const auto choice : one.choices) made.choices.emplace_back(choice);
  made.may_be_empty = true;
  return made;
}

std::string list_of_analyses() {
  model::json_writer json;
  json.begin_object().key("items").begin_array();
  for (const auto& one : results::analyses()) {
    json.begin_object().field("name", one.name).field("command", one.command).field("title", one.title);
    json.field("question", one.question).key("parameters").begin_array();
    for (const auto& p : one.parameters) {
      json.begin_object().field("key", p.key).field("kind", name(p.kind)).field("placeholder", p.placeholder);
      json.field("help", p.help)
          .field("preset", p.preset)
          .field("unit", p.unit)
          .key("choices")
          .begin_array(true);
      for (const auto choice : p.choices) json.value(choice);
      json.end_array().end_object();
    }
    json.end_array().end_object();
  }
  json.end_array().key("next").null().end_object();
  return std::move(json).take();
}

server::schema list_shape() {
  const auto parameter = object_of({text("key"),
                                    text("kind", "text, choice, count, quantity or flag"),
                                    text("placeholder"),
                                    text("help"),
                                    text("preset"),
                                    text("unit"),
                                    {"choices", array_of(plain(value_type::text))}});
  return page_of_items(object_of(
      {text("name"), text("command"), text("title"), text("question"), {"parameters", array_of(parameter)}}));
}

server::schema answer_shape() {
  const auto field = object_of({text("key"), text("header"), text("unit")});
  const auto sheet = object_of({text("key"),
                                text("title"),
                                {"single", plain(value_type::truth)},
                                whole("grouped_by", "how many leading fields name a group of rows"),
                                text("empty"),
                                {"notes", array_of(plain(value_type::text))},
                                {"fields", array_of(field)},
                                {"tones", array_of(plain(value_type::integer))}});
  return open_object(
      {text("title"), text("schema"), {"layout", array_of(sheet)}, {"charts", array_of(open_object())}});
}

}  // namespace

std::vector<server::route> analysis_routes(const api& shared) {
  std::vector<server::route> made;
  made.push_back(read_route(
      "/api/v1/analyses", "The questions that stored results can be asked", {}, list_shape(),
      [document = list_of_analyses()](const server::request&) { return server::json_response(document); }));
  for (const auto& one : results::analyses()) {
    std::vector<server::parameter> parameters;
    for (const auto& p : one.parameters) parameters.push_back(declared(p));
    const std::string its_name(one.name);
    const auto answer =
        asking(shared, [its_name](store::store& store, const server::request& asked) -> result<std::string> {
          std::map<std::string, std::string> given;
          for (const auto& [key, value] : asked.query) given.emplace(key, value);
          const auto found = results::answer_of(its_name, store, given);
          if (!found) return found.why();
          return results::answer_json(*found);
        });
    for (const std::string folder : {"/api/v1/analyses/", "/api/analysis/"})
      made.push_back(
          read_route(folder + its_name, std::string(one.question), parameters, answer_shape(), answer));
  }
  return made;
}

}  // namespace ridge::app_serve
