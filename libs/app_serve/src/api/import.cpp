// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <mutex>
#include <utility>

#include <ridge/base/text.hpp>
#include <ridge/server/answered_once.hpp>

#include "api/api.hpp"
#include "api/shapes.hpp"
#include "imports/run_sink.hpp"

// Saved runs that programs send.
namespace ridge::app_serve {
namespace {

using server::value_type;

constexpr const char* lines_type = "application/x-ndjson";
constexpr const char* one_run_type = "application/json";

server::schema outcome_shape() {
  const auto item =
      object_of({whole("line", "of the body, from 1"), text("id"),
                 text("state", "stored, or known: the store held it already, and it was left as it is"),
                 whole("families")});
  return object_of({whole("stored"), whole("known"), {"items", array_of(item)}});
}

}  // namespace

std::vector<server::route> import_routes(const api& shared) {
  const auto turn = std::make_shared<std::mutex>();
  server::receiver receive = [&stores = shared.stores, turn](const server::request& asked) {
    const auto type = lower_case(server::value_of(asked.fields, "content-type").value_or(""));
    const auto sent = type.starts_with(lines_type) ? run_sink::form::lines : run_sink::form::one_run;
    return std::make_unique<run_sink>(stores, turn, sent, run_sink::most{});
  };
  std::vector<server::route> made;
  made.push_back({.method = server::http_method::post,
                  .pattern = "/api/v1/runs",
                  .needs = server::scope::write,
                  .receive = server::answered_once(std::move(receive)),
                  .summary =
                      "Stores saved runs: one (ridge.run/1), or one on each line. What was complete before "
                      "an error is kept; the error names the line, and `items` what is stored",
                  .answer_shape = outcome_shape(),
                  .body_shape = open_object({text("schema", "ridge.run/1"), text("id")}),
                  .body_types = {one_run_type, lines_type},
                  .fields = {server::idempotency_key_field()}});
  return made;
}

}  // namespace ridge::app_serve
