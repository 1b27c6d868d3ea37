// SPDX-License-Identifier: Apache-2.0
#include "api/jobs.hpp"

#include <algorithm>
#include <span>
#include <utility>

#include <nlohmann/json.hpp>

#include <ridge/base/text.hpp>
#include <ridge/model/json_writer.hpp>

#include "api/shapes.hpp"

namespace ridge::app_serve {
namespace {

using nlohmann::json;

constexpr std::string_view backends[] = {"cpu", "cuda"};
constexpr std::string_view profiles[] = {"minimal", "standard", "deep"};

// A parameter of a job and the words that it may be.
struct job_parameter {
  std::string_view name{};
  std::span<const std::string_view> choices{};
};
const job_parameter job_parameters[] = {{"backend", backends}, {"profile", profiles}};

void write_job(model::json_writer& json, const job& one) {
  json.begin_object().field("id", one.id).field("suite", one.suite).field("state", one.state);
  json.field("started", one.started).field("message", one.message).end_object();
}

std::string job_json(const job& one) {
  model::json_writer json;
  write_job(json, one);
  return std::move(json).take();
}

server::schema job_shape() {
  return object_of({text("id"), text("suite"), text("state", "queued, running, finished, failed or stopped"),
                    text("started", "empty: not yet"), text("message")});
}

server::response list(const job_queue& queue) {
  model::json_writer json;
  json.begin_object().key("items").begin_array();
  for (const auto& one : queue.jobs()) write_job(json, one);
  json.end_array().key("next").null().end_object();
  return server::json_response(std::move(json).take());
}

}  // namespace

result<std::vector<std::string>> words_of_job(std::string_view body, const std::vector<std::string>& suites,
                                              std::string& suite) {
  const auto document = json::parse(body, nullptr, false);
  const error wrong{"the body is not {\"suite\": \"...\", \"parameters\": {...}}", "see /openapi.json"};
  if (!document.is_object() || !document.contains("suite") || !document["suite"].is_string()) return wrong;
  for (const auto& [key, value] : document.items())
    if (key != "suite" && key != "parameters") return wrong;
  suite = document["suite"].get<std::string>();
  if (std::ranges::find(suites, suite) == suites.end()) {
    const auto near = nearest_name(suite, suites);
    return error{"there is no suite \"" + suite + "\"",
                 near ? "did you mean " + *near + "?" : "give a chapter or an experiment: ch01"};
  }
  std::vector<std::string> words{"run", suite};
  const auto given = document.value("parameters", json::object());
  if (!given.is_object()) return wrong;
  for (const auto& [key, value] : given.items()) {
    const auto* const known = std::ranges::find(job_parameters, key, &job_parameter::name);
    if (known == std::end(job_parameters))
      return error{"a job has no parameter \"" + key + "\"", "it has backend and profile"};
    const auto text = value.is_string() ? value.get<std::string>() : value.dump();
    if (std::ranges::find(known->choices, text) == known->choices.end())
      return error{key + " cannot be " + text,
                   "it is one of " +
                       join(std::vector<std::string>(known->choices.begin(), known->choices.end()), ", ")};
    words.push_back("--" + key);
    words.push_back(text);
  }
  return words;
}

std::vector<server::route> job_routes(job_queue& queue, std::vector<std::string> suites) {
  using server::http_method;
  std::vector<server::route> made;
  made.push_back(read_route("/api/v1/jobs", "Runs that were asked for, the newest first", {},
                            page_of_items(job_shape()),
                            [&queue](const server::request&) { return list(queue); }));
  made.push_back(
      {.method = http_method::post,
       .pattern = "/api/v1/jobs",
       .needs = server::scope::run,
       .answer =
           [&queue, suites = std::move(suites)](const server::request& asked) {
             std::string suite;
             auto words = words_of_job(asked.body, suites, suite);
             if (!words) return server::problem(400, words.why());
             const auto entered = queue.add(std::move(suite), std::move(words).value());
             return entered ? server::json_response(job_json(*entered)) : server::problem(429, entered.why());
           },
       .summary = "Measures a declared suite: a chapter or an experiment",
       .answer_shape = job_shape(),
       .body_shape = object_of(
           {text("suite", "ch01, ch07.coalescing"),
            {"parameters",
             object_of({{"backend", plain(server::value_type::text, "cpu or cuda"), false},
                        {"profile", plain(server::value_type::text, "minimal, standard or deep"), false}}),
             false}})});
  made.push_back({.method = http_method::erase,
                  .pattern = "/api/v1/jobs/{id}",
                  .needs = server::scope::run,
                  .answer =
                      [&queue](const server::request& asked) {
                        const auto stopped = queue.stop(path_value(asked, "id"));
                        return stopped ? server::json_response(job_json(*stopped))
                                       : server::problem(404, stopped.why());
                      },
                  .summary = "Stops a job; what it has stored is kept",
                  .answer_shape = job_shape()});
  return made;
}

}  // namespace ridge::app_serve
