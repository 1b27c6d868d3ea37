// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <ridge/server/event_hub.hpp>
#include <ridge/server/request.hpp>
#include <ridge/server/response.hpp>
#include <ridge/server/schema.hpp>

// What a server serves, as values.
namespace ridge::server {

// A parameter of a query or a variable of a path. The server refuses a value that is not of its type, a name
// that no parameter has, and one that is given twice, before the handler sees them.
struct parameter {
  std::string name{};
  value_type type = value_type::text;
  std::string description{};
  bool required = false;
  std::vector<std::string> choices{};  // of a text; empty: any
  bool may_be_empty = false;           // an empty value stands for none: fields of forms
};

// Takes the body of one request in parts as they arrive, each on a thread of the handlers but never two at
// once. Where the client goes away, it is destroyed without finish().
class body_sink {
 public:
  virtual ~body_sink() = default;
  // Takes the next part. An exception ends the request with the answer that a handler's would give.
  virtual void write(std::string_view part) = 0;
  // Returns the answer; the body is complete.
  virtual response finish() = 0;
};

// Returns a sink of its own for each request.
using receiver = std::function<std::unique_ptr<body_sink>(const request&)>;

// How a request is answered: exactly one of `answer`, `receive` and `live` is set. Handlers run on threads of
// their own and may block; several run at once. What they throw becomes an answer: `unavailable` 503, another
// `failure` 500 with its text, anything else 500 without.
struct route {
  http_method method = http_method::get;
  std::string pattern{};  // "/api/v1/runs/{id}": a variable stands for one whole segment
  scope needs = scope::read;
  std::function<response(const request&)> answer{};
  receiver receive{};  // takes the body in parts, up to limits::bulk_bytes
  bool live = false;   // the stream of events
  bool quick = false;  // answers within microseconds from memory, so it needs no thread of its own
  // For the OpenAPI document, and for checks of parameters:
  std::string summary{};
  std::vector<parameter> parameters{};
  std::string content_type{"application/json"};  // of the answer
  schema answer_shape{};
  schema body_shape{};                    // of what is sent, for POST, PUT and PATCH
  std::vector<std::string> body_types{};  // the types that the body may have; empty: application/json
  std::vector<parameter> fields{};        // fields of the header that the handler reads
};

// A file of the pages, kept in memory. One whose name holds a hash ("app-4f2a9c1b.js") is cached for ever.
struct static_asset {
  std::string path{};  // "/assets/app-4f2a9c1b.js"; "/index.html" is also "/"
  std::string content_type{};
  std::string text{};
};

// Returns the content type for the end of a name: "text/html; charset=utf-8" for ".html";
// "application/octet-stream" where it is unknown.
[[nodiscard]] std::string content_type_of(std::string_view path);

// A figure for /metrics that is not the server's own: "ridge_store_bytes".
struct gauge {
  std::string name{};
  std::string help{};
  double value = 0;
};

// Everything that a server offers besides its own routes: /healthz, /version, /openapi.json, /metrics,
// /session.
struct service {
  std::string title{"ridge"};
  std::string version{};
  std::vector<route> routes{};
  std::vector<static_asset> assets{};
  std::shared_ptr<event_hub> events{};           // what live routes stream; null: the server makes one
  std::function<std::vector<gauge>()> gauges{};  // called on a thread of the handlers; may be empty
};

}  // namespace ridge::server
