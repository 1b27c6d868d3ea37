// SPDX-License-Identifier: Apache-2.0
// The routes that every server has.
#include <memory>
#include <utility>

#include <ridge/model/json_writer.hpp>
#include <ridge/server/openapi.hpp>

#include "net/engine.hpp"

namespace ridge::server {
namespace {

response only_in_engine(const request&) {
  return problem(500, {"sessions are opened by the connection itself", "report this as a bug"});
}

route health() {
  return {.pattern = "/healthz",
          .needs = scope::open,
          .answer = [](const request&) { return json_response(R"({"status":"ok"})"); },
          .quick = true,
          .summary = "Whether the server answers",
          .answer_shape = object_of({{"status", plain(value_type::text, "ok"), true}})};
}

route version(const std::string& title, const std::string& number) {
  model::json_writer json;
  json.begin_object().field("name", title).field("version", number).end_object();
  return {.pattern = "/version",
          .answer = [text = std::move(json).take()](const request&) { return json_response(text); },
          .quick = true,
          .summary = "The name and version of the program",
          .answer_shape = object_of(
              {{"name", plain(value_type::text), true}, {"version", plain(value_type::text), true}})};
}

route session() {
  return {.pattern = "/session",
          .answer =
              [](const request& asked) {
                return json_response("{\"scope\":\"" + std::string(name(asked.granted)) + "\"}");
              },
          .quick = true,
          .summary = "What the token or session of this request is granted",
          .answer_shape = object_of({{"scope", plain(value_type::text, "read, write, run or admin"), true}})};
}

route login() {
  return {.method = http_method::post,
          .pattern = "/session",
          .needs = scope::open,
          .answer = only_in_engine,
          .summary = "Exchanges a token for a session cookie",
          .answer_shape = object_of({}),
          .body_shape = object_of({{"token", plain(value_type::text), true}})};
}

route logout() {
  return {.method = http_method::erase,
          .pattern = "/session",
          .answer = only_in_engine,
          .summary = "Ends the session of this request (204)",
          .answer_shape = object_of({})};
}

}  // namespace

std::vector<route> engine::own_routes() {
  std::vector<route> made{health(), version(offer.title, offer.version), session(), login(), logout()};
  made.push_back({.pattern = "/metrics",
                  .answer =
                      [this](const request&) {
                        auto gauges = offer.gauges ? offer.gauges() : std::vector<gauge>{};
                        gauges.push_back({"ridge_http_connections",
                                          "Connections that are open, streams among them",
                                          static_cast<double>(open_connections())});
                        gauges.push_back({"ridge_event_streams", "Streams of events that are open",
                                          static_cast<double>(open_streams())});
                        response answer;
                        answer.content_type = "text/plain; version=0.0.4; charset=utf-8";
                        answer.body = counts.text(gauges);
                        return answer;
                      },
                  .summary = "Figures of the server for Prometheus",
                  .content_type = "text/plain"});
  made.push_back({.pattern = "/openapi.json",
                  .answer = [](const request&) { return response{}; },
                  .quick = true,
                  .summary = "This document"});
  auto all = made;
  all.insert(all.end(), offer.routes.begin(), offer.routes.end());
  made.back().answer = [text = openapi_document(offer.title, offer.version, all)](const request&) {
    return json_response(text);
  };
  return made;
}

}  // namespace ridge::server
