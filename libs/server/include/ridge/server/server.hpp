// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <ridge/base/result.hpp>
#include <ridge/server/event_hub.hpp>
#include <ridge/server/options.hpp>
#include <ridge/server/service.hpp>

namespace ridge::server {

class engine;  // what is behind it

// An HTTP/1.1 server that answers from a thread of its own, with handlers on others.
class server final {
 public:
  // Listens and begins to answer. Returns an error for options that are refused (an address that others reach
  // without a proxy and tokens, a pattern that is wrong) and for an address or socket that cannot be used.
  [[nodiscard]] static result<std::unique_ptr<server>> start(const options& chosen, service offered);

  // Stops, as stop() does.
  ~server();
  server(const server&) = delete;
  server& operator=(const server&) = delete;

  // Returns the port that it listens on; 0 for a Unix socket.
  [[nodiscard]] std::uint16_t port() const;

  // Returns where events are published; any thread may use it.
  [[nodiscard]] event_hub& events();

  // Replaces the tokens. Sessions of tokens that are no longer among them end. Any thread may call it.
  void replace_tokens(const std::vector<access_token>& tokens);

  // Stops listening, finishes the requests that run (for limits::stop_time at most), writes what streams have
  // not got yet, closes all connections and returns. Any thread may call it; only the first call does it.
  void stop();

 private:
  explicit server(std::unique_ptr<engine> running);
  std::unique_ptr<engine> engine_;
};

// Returns a token of 256 random bits, in 43 letters, digits, `-` and `_`.
[[nodiscard]] std::string drawn_token();

}  // namespace ridge::server
