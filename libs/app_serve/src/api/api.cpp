// SPDX-License-Identifier: Apache-2.0
#include "api/api.hpp"

#include <algorithm>
#include <utility>

#include <ridge/store/store_failure.hpp>

#include "api/fields.hpp"

namespace ridge::app_serve {
namespace {

// The text by which equal requests are known: parameters in one order.
std::string key_of(const server::request& asked) {
  std::vector<std::string> parts;
  for (const auto& [name, value] : asked.query) parts.push_back(name + '\n' + value + '\n');
  std::ranges::sort(parts);
  auto key = asked.path + '\n';
  for (const auto& part : parts) key += part;
  return key;
}

server::response answer_of(const api& shared, const question& ask, const demand& must_exist,
                           const server::request& asked) {
  const auto revision = shared.stores.revision();  // before it is read: a change in between makes it old
  const auto key = key_of(asked);
  if (const auto kept = shared.answers.find(key, revision)) return server::json_response(*kept);
  return from_store(shared, [&](store::store& store) {
    if (must_exist)
      if (const auto found = must_exist(store, asked); !found) return server::problem(404, found.why());
    auto document = ask(store, asked);
    if (!document) return server::problem(400, document.why());
    shared.answers.keep(key, revision, *document);
    return server::json_response(std::move(document).value());
  });
}

}  // namespace

server::response from_store(const api& shared, const std::function<server::response(store::store&)>& answer) {
  try {
    auto store = shared.stores.borrow();
    return answer(*store);
  } catch (const store::store_failure& why) {
    return server::problem(503, shared.stores.told(why));
  }
}

std::function<server::response(const server::request&)> asking(const api& shared, question ask,
                                                               demand must_exist) {
  return [&shared, ask = std::move(ask), must_exist = std::move(must_exist)](const server::request& asked) {
    return answer_of(shared, ask, must_exist, asked);
  };
}

server::route read_route(const std::string& pattern, const std::string& summary,
                         std::vector<server::parameter> parameters, server::schema shape,
                         std::function<server::response(const server::request&)> answer) {
  return with_fields({.pattern = pattern,
                      .answer = std::move(answer),
                      .summary = summary,
                      .parameters = std::move(parameters),
                      .answer_shape = std::move(shape)});
}

std::vector<server::route> all_routes(const api& shared) {
  std::vector<server::route> all;
  for (auto group : {analysis_routes, summary_routes, run_routes, import_routes, series_routes, change_routes,
                     render_routes, export_routes, compare_routes, machine_routes, catalogue_routes}) {
    for (auto& one : group(shared)) all.push_back(std::move(one));
  }
  all.push_back({.pattern = "/api/v1/events",
                 .live = true,
                 .summary = "Events as they happen: run.state, result, store (text/event-stream)",
                 .content_type = "text/event-stream"});
  return all;
}

}  // namespace ridge::app_serve
