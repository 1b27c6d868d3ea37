// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <ridge/base/result.hpp>
#include <ridge/server/event_hub.hpp>
#include <ridge/server/service.hpp>

#include "stored/answer_cache.hpp"
#include "stored/change_searches.hpp"
#include "stored/store_shelf.hpp"

// The API of docs/design/results.md: one function for each group of routes. All routes read one store.
namespace ridge::app_serve {

// What the routes share; it outlives the server.
struct api {
  store_shelf& stores;
  answer_cache& answers;
  // Runs this program with these words and returns what it printed: documents that commands make.
  std::function<result<std::string>(const std::vector<std::string>& words)> ask_program{};
  std::shared_ptr<change_searches> changes = std::make_shared<change_searches>();
  std::shared_ptr<server::event_hub> events = std::make_shared<server::event_hub>();  // to all who watch
};

// Return the routes of a group.
[[nodiscard]] std::vector<server::route> analysis_routes(const api& shared);
[[nodiscard]] std::vector<server::route> summary_routes(const api& shared);
[[nodiscard]] std::vector<server::route> run_routes(const api& shared);
[[nodiscard]] std::vector<server::route> import_routes(const api& shared);
[[nodiscard]] std::vector<server::route> series_routes(const api& shared);
[[nodiscard]] std::vector<server::route> change_routes(const api& shared);
[[nodiscard]] std::vector<server::route> render_routes(const api& shared);
[[nodiscard]] std::vector<server::route> export_routes(const api& shared);
[[nodiscard]] std::vector<server::route> compare_routes(const api& shared);
[[nodiscard]] std::vector<server::route> machine_routes(const api& shared);
[[nodiscard]] std::vector<server::route> catalogue_routes(const api& shared);

// Returns all of them with the stream of events.
[[nodiscard]] std::vector<server::route> all_routes(const api& shared);

// How a document is made from a store; an error is answered with 400.
using question = std::function<result<std::string>(store::store&, const server::request&)>;
// Says whether the store holds what the path names; an error is answered with 404.
using demand = std::function<result<void>(store::store&, const server::request&)>;

// Returns what `answer` makes of a store of its own; 503 where the store fails.
[[nodiscard]] server::response from_store(const api& shared,
                                          const std::function<server::response(store::store&)>& answer);

// Returns a handler that asks a store of its own, and answers the same request from memory until the store
// changes.
[[nodiscard]] std::function<server::response(const server::request&)> asking(const api& shared, question ask,
                                                                             demand must_exist = {});

// Returns a route of GET that needs the scope `read`; a list has the parameter `fields`.
[[nodiscard]] server::route read_route(const std::string& pattern, const std::string& summary,
                                       std::vector<server::parameter> parameters, server::schema shape,
                                       std::function<server::response(const server::request&)> answer);

}  // namespace ridge::app_serve
