// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include <ridge/base/error.hpp>
#include <ridge/server/named_text.hpp>

namespace ridge::server {

// What a handler answers. The server adds Content-Length, ETag, Cache-Control and the fields that protect a
// browser, compresses the body, and answers 304 where the client has it already.
struct response {
  int status = 200;
  std::string content_type{"application/json"};
  std::string body{};
  std::vector<named_text> fields{};  // further header fields; none may hold a line end
};

// Returns a document of JSON with status 200.
[[nodiscard]] response json_response(std::string document);

// Returns an error as RFC 9457 describes it (application/problem+json): `type` "about:blank", `title` the
// words of the status, `status`, `detail` the message, and `remedy` where there is one.
[[nodiscard]] response problem(int status, const error& why);

// Returns the words of a status: "Not Found"; "Error" for one that the server never answers.
[[nodiscard]] std::string status_words(int status);

}  // namespace ridge::server
