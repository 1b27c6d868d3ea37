// SPDX-License-Identifier: Apache-2.0
// The OpenAPI document and the server say the same: every route of the document answers, and every member of
// an answer is declared, of the type that is declared.
#include <set>

#include "served_store.hpp"

namespace ridge::app_serve {
namespace {

using nlohmann::json;

bool has_type(const json& value, const std::string& type) {
  if (type == "object") return value.is_object();
  if (type == "array") return value.is_array();
  if (type == "string") return value.is_string();
  if (type == "number") return value.is_number();
  if (type == "integer") return value.is_number_integer();
  if (type == "boolean") return value.is_boolean();
  return type == "null" && value.is_null();
}

// Adds a line for everything in which a value departs from a schema.
void hold(const json& value, const json& schema, const std::string& place, std::set<std::string>& wrong) {
  if (schema.contains("type")) {
    const auto& types = schema.at("type");
    bool fits = false;
    for (const auto& type : types.is_array() ? types : json::array({types})) fits |= has_type(value, type);
    if (!fits) wrong.insert(place + " is not " + types.dump());
  }
  if (value.is_array() && schema.contains("items"))
    for (const auto& element : value) hold(element, schema.at("items"), place + "[]", wrong);
  if (!value.is_object() || !schema.contains("properties")) return;
  for (const auto& name : schema.at("required"))
    if (!value.contains(name.get<std::string>()))
      wrong.insert(place + "." + name.get<std::string>() + " is missing");
  for (const auto& [name, member] : value.items()) {
    if (schema.at("properties").contains(name))
      hold(member, schema.at("properties").at(name), place + "." + name, wrong);
    else if (schema.at("additionalProperties") == false)
      wrong.insert(place + "." + name + " is not declared");
  }
}

std::string with_variables(std::string pattern, const std::string& run) {
  const std::pair<std::string, std::string> values[] = {
      {"series/{id}", "series/1"}, {"{id}", run}, {"{series}", "1"}, {"{run}", run}};
  for (const auto& [variable, value] : values)
    if (const auto place = pattern.find(variable); place != std::string::npos)
      pattern.replace(place, variable.size(), value);
  return pattern;
}

TEST(serve_document, is_what_the_server_does) {
  served_store one;
  const auto run = reference_run().id;
  const auto document = one.get("/openapi.json").json();
  std::set<std::string> wrong;
  int held = 0;
  for (const auto& [pattern, operations] : document.at("paths").items()) {
    for (const auto& [method, operation] : operations.items()) {
      const auto& content = operation.at("responses").at("200").at("content");
      const auto type = content.begin().key();
      if (type == "text/event-stream" || pattern == "/session") continue;
      auto target = with_variables(pattern, run);
      if (pattern.find("/anal") != std::string::npos && pattern != "/api/v1/analyses")
        target += least_query(pattern.substr(pattern.rfind('/') + 1));
      if (pattern == "/api/v1/render") target += "?chart=series&series=1";
      if (pattern == "/api/v1/series/{id}/samples") target += "?runs=" + run;
      if (pattern == "/api/v1/compare") target += "?a=" + run + "&b=" + run;
      auto answer = one.get(target);
      if (method == "patch") answer = one.ask("PATCH", target, R"({"state":"noise","note":"x"})");
      if (method == "post") answer = one.ask("POST", target, model::packed_json(reference_run()));
      EXPECT_EQ(answer.status, 200) << method << " " << target << answer.body;
      EXPECT_NE(answer.header.find("Content-Type: " + type), std::string::npos) << target;
      if (type == "application/json") hold(answer.json(), content.at(type).at("schema"), pattern, wrong);
      ++held;
    }
  }
  EXPECT_GT(held, 20);
  EXPECT_EQ(wrong, std::set<std::string>{});
}

TEST(serve_document, describes_errors_as_they_are) {
  served_store one;
  const auto schema = one.get("/openapi.json").json().at("components").at("schemas").at("problem");
  std::set<std::string> wrong;
  for (const std::string target : {"/nothing", "/api/v1/runs?limit=0", "/api/v1/runs/nothing", "/a/../b"}) {
    const auto answer = one.get(target);
    EXPECT_GE(answer.status, 400) << target;
    hold(answer.json(), schema, target, wrong);
  }
  EXPECT_EQ(wrong, std::set<std::string>{});
}

}  // namespace
}  // namespace ridge::app_serve
