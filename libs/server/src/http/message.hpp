// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include <ridge/server/response.hpp>

namespace ridge::server {

// An answer as it is sent. The body of a static file is shared, not copied.
struct message {
  int status = 200;
  std::string header{};  // with the empty line that ends it
  std::shared_ptr<const std::string> body{};
  bool closes = false;  // the connection ends with it
};

// What of a request decides how its answer is sent.
struct answer_form {
  bool is_head = false;
  bool reads = true;  // GET or HEAD
  bool keep_alive = true;
  bool gzip = false;            // the client takes it
  std::string if_none_match{};  // the field; empty: none
};

// Returns an answer as it is sent: with an entity tag (GET and HEAD with status 200), as 304 where the client
// has it, compressed where that is wanted and pays.
[[nodiscard]] message message_of(response answer, const answer_form& form);

// Makes a message the last one of its connection.
void close_with(message& last);

// What surrounds the body of a message.
struct framing {
  bool keep_alive = true;
  bool until_closed = false;  // a stream: no Content-Length, it ends with the connection
  std::string_view cache{"no-store"};
};

// Returns the header of an answer: status line, the fields that every answer has (Content-Security-Policy and
// the others that keep a browser from using it elsewhere), those of the answer, and the empty line. A field
// with a line end in its name or value is left out. `bytes` is the length of the body.
[[nodiscard]] std::string header_text(const response& answer, std::size_t bytes, const framing& frame);

}  // namespace ridge::server
