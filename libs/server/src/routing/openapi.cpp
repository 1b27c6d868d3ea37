// SPDX-License-Identifier: Apache-2.0
#include <ridge/server/openapi.hpp>

#include <algorithm>
#include <map>
#include <vector>

#include <ridge/base/text.hpp>
#include <ridge/model/json_writer.hpp>

namespace ridge::server {
namespace {

using model::json_writer;

std::string_view word(value_type type) {
  switch (type) {
    case value_type::object:
      return "object";
    case value_type::array:
      return "array";
    case value_type::text:
      return "string";
    case value_type::number:
      return "number";
    case value_type::integer:
      return "integer";
    case value_type::truth:
      return "boolean";
    case value_type::anything:
      break;
  }
  return "";
}

void write_type(json_writer& json, const schema& shape) {
  if (shape.type == value_type::anything) return;
  if (!shape.nullable) {
    json.field("type", word(shape.type));
    return;
  }
  json.key("type").begin_array(true).value(word(shape.type)).value("null").end_array();
}

void write_schema(json_writer& json, const schema& shape) {
  json.begin_object();
  write_type(json, shape);
  if (!shape.description.empty()) json.field("description", shape.description);
  if (!shape.items.empty()) {
    json.key("items");
    write_schema(json, shape.items.front());
  }
  if (!shape.members.empty()) {
    json.key("properties").begin_object();
    for (const auto& member : shape.members) {
      json.key(member.name);
      write_schema(json, member.shape);
    }
    json.end_object();
    json.key("required").begin_array(true);
    for (const auto& member : shape.members)
      if (member.required) json.value(member.name);
    json.end_array();
    json.field("additionalProperties", shape.open);
  }
  json.end_object();
}

std::vector<std::string> variables_of(std::string_view pattern) {
  std::vector<std::string> names;
  for (const auto part : split(pattern.substr(1), '/'))
    if (part.starts_with('{')) names.emplace_back(part.substr(1, part.size() - 2));
  return names;
}

void write_parameter(json_writer& json, const parameter& declared, std::string_view place) {
  json.begin_object().field("name", declared.name).field("in", place);
  if (!declared.description.empty()) json.field("description", declared.description);
  json.field("required", place == "path" || declared.required);
  json.key("schema").begin_object().field("type", word(declared.type));
  if (!declared.choices.empty()) {
    json.key("enum").begin_array(true);
    for (const auto& choice : declared.choices) json.value(choice);
    json.end_array();
  }
  json.end_object().end_object();
}

void write_parameters(json_writer& json, const route& one) {
  const auto variables = variables_of(one.pattern);
  if (variables.empty() && one.parameters.empty() && one.fields.empty()) return;
  json.key("parameters").begin_array();
  for (const auto& name : variables) {
    const auto declared = std::ranges::find(one.parameters, name, &parameter::name);
    write_parameter(json, declared == one.parameters.end() ? parameter{.name = name} : *declared, "path");
  }
  for (const auto& declared : one.parameters)
    if (std::ranges::find(variables, declared.name) == variables.end())
      write_parameter(json, declared, "query");
  for (const auto& declared : one.fields) write_parameter(json, declared, "header");
  json.end_array();
}

void write_media(json_writer& json, std::string_view type, const schema& shape) {
  json.key(type).begin_object().key("schema");
  write_schema(json, shape);
  json.end_object();
}

bool changes(http_method method) { return method != http_method::get && method != http_method::head; }

// The words by which the document names a method and pattern: "get_api_v1_runs_id".
std::string operation_id(const route& one) {
  std::string made = lower_case(name(one.method));
  for (const char letter : one.pattern) {
    const bool is_word = (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
                         (letter >= '0' && letter <= '9');
    if (is_word)
      made += letter;
    else if (made.back() != '_')
      made += '_';
  }
  while (made.back() == '_') made.pop_back();
  return made;
}

void write_operation(json_writer& json, const route& one) {
  json.key(lower_case(name(one.method))).begin_object();
  json.field("operationId", operation_id(one)).field("summary", one.summary);
  json.field("x-ridge-scope", name(one.needs));
  json.key("security").begin_array();
  if (one.needs != scope::open) {
    for (const std::string_view scheme : {"bearer", "session"})
      json.begin_object().key(scheme).begin_array(true).end_array().end_object();
  }
  json.end_array();
  write_parameters(json, one);
  if (changes(one.method) && one.method != http_method::erase) {
    json.key("requestBody").begin_object().field("required", true);
    json.key("content").begin_object();
    if (one.body_types.empty()) write_media(json, "application/json", one.body_shape);
    for (const auto& type : one.body_types)
      write_media(json, type, type == "application/json" ? one.body_shape : plain(value_type::text));
    json.end_object();
    json.end_object();
  }
  json.key("responses").begin_object().key("200").begin_object().field("description", "The answer");
  json.key("content").begin_object();
  write_media(json, one.content_type,
              one.content_type == "application/json" ? one.answer_shape : plain(value_type::text));
  json.end_object().end_object();
  json.key("default").begin_object().field("description", "What was wrong, and what to do");
  json.key("content").begin_object().key("application/problem+json").begin_object().key("schema");
  json.begin_object().field("$ref", "#/components/schemas/problem").end_object();
  json.end_object().end_object().end_object().end_object().end_object();
}

void write_components(json_writer& json) {
  json.key("components").begin_object().key("schemas").begin_object().key("problem");
  write_schema(json, open_object({{"type", plain(value_type::text), true},
                                  {"title", plain(value_type::text, "the words of the status"), true},
                                  {"status", plain(value_type::integer), true},
                                  {"detail", plain(value_type::text, "what was wrong, and where"), true},
                                  {"remedy", plain(value_type::text, "what to do"), false}}));
  json.end_object().key("securitySchemes").begin_object();
  json.key("bearer").begin_object().field("type", "http").field("scheme", "bearer").end_object();
  json.key("session")
      .begin_object()
      .field("type", "apiKey")
      .field("in", "cookie")
      .field("name", "ridge_session_PORT");
  json.end_object().end_object().end_object();
}

}  // namespace

std::string openapi_document(std::string_view title, std::string_view version,
                             std::span<const route> routes) {
  std::map<std::string_view, std::vector<const route*>> paths;
  for (const auto& one : routes) paths[one.pattern].push_back(&one);
  json_writer json;
  json.begin_object().field("openapi", "3.1.0");
  json.key("info").begin_object().field("title", title).field("version", version).end_object();
  json.key("paths").begin_object();
  for (const auto& [pattern, operations] : paths) {
    json.key(pattern).begin_object();
    for (const auto* one : operations) write_operation(json, *one);
    json.end_object();
  }
  json.end_object();
  write_components(json);
  json.end_object();
  return std::move(json).take();
}

}  // namespace ridge::server
