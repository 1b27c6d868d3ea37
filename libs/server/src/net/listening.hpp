// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <ridge/base/result.hpp>
#include <ridge/server/options.hpp>

namespace ridge::server {

// A socket that listens.
struct listening_socket {
  int descriptor = -1;
  int family = 0;  // AF_INET, AF_INET6 or AF_UNIX
};

// Sockets that listen, all on one port; whoever takes them closes them.
struct listening {
  std::vector<listening_socket> sockets{};
  std::uint16_t port = 0;  // 0: a Unix socket
};

// Returns why options are not accepted: an address that others can reach needs tokens and a proxy that ends
// TLS, access without tokens an address that only this machine reaches, and tokens have 22 letters at least.
[[nodiscard]] result<void> accepted(const options& chosen);

// Opens the sockets that the options ask for: both loopbacks for 127.0.0.1 and localhost (one where the
// machine lacks the other), or a Unix socket that this user alone may use. A socket file that nobody listens
// on is replaced.
[[nodiscard]] result<listening> listen_on(const options& chosen);

}  // namespace ridge::server
