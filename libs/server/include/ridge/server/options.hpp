// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <ridge/server/scope.hpp>

namespace ridge::server {

// A secret that grants a scope. The server keeps only its SHA-256.
struct access_token {
  std::string text{};
  scope granted = scope::admin;
  std::chrono::system_clock::time_point expires = std::chrono::system_clock::time_point::max();
};

// What a server keeps clients to. Clients that exceed it are answered where that is possible, and closed.
struct limits {
  std::size_t header_bytes = 16 * 1024;
  std::size_t body_bytes = 1024 * 1024;
  std::size_t bulk_bytes = 64 * 1024 * 1024;  // of a route that receives its body in parts
  std::size_t connections = 256;              // besides streams
  std::size_t streams = 256;                  // of events
  std::size_t stream_backlog_bytes = 1024 * 1024;
  std::size_t failed_logins = 10;  // of one address within `login_window`, before it is refused with 429
  std::chrono::milliseconds login_window{60'000};
  std::chrono::milliseconds header_time{30'000};  // from the first byte of a request to the end of its header
  std::chrono::milliseconds body_time{30'000};    // for a body; between two parts of one in bulk
  std::chrono::milliseconds idle_time{75'000};    // between two requests
  std::chrono::milliseconds write_time{30'000};   // for the client to take an answer, or a part of a stream
  std::chrono::milliseconds stop_time{5'000};     // for requests that run when the server stops
  std::chrono::milliseconds session_time{12 * 3600 * 1000};
};

// How a server listens and whom it trusts.
struct options {
  std::string address{"127.0.0.1"};  // or "::1", "localhost": both loopbacks; others need `behind_proxy`
  std::uint16_t port = 0;            // 0: any that is free
  std::string socket_path{};         // a Unix socket of mode 0600 instead of address and port
  std::vector<std::string>
      allowed_hosts{};        // further values of Host: "lab.example.org", "lab.example.org:8443"
  bool behind_proxy = false;  // a proxy on this machine or network ends TLS and is trusted to
  std::vector<access_token> tokens{};
  bool open_access = false;         // no token is asked for; refused unless only this machine can connect
  scope open_scope = scope::write;  // what everybody is granted then
  std::size_t handler_threads = 4;
  server::limits limits{};
  std::chrono::milliseconds event_interval{250};  // at least so long between two writes to one stream
  std::chrono::milliseconds heartbeat{15'000};
  // Receives a line for every refused token and every request that changes something: text without secrets,
  // control characters escaped. Called on one thread.
  std::function<void(std::string_view line)> audit{};
};

}  // namespace ridge::server
