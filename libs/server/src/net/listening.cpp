// SPDX-License-Identifier: Apache-2.0
#include "net/listening.hpp"

#include <cerrno>
#include <cstring>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <fmt/format.h>

namespace ridge::server {
namespace {

bool is_loopback(const std::string& address) {
  return address == "127.0.0.1" || address == "::1" || address == "localhost";
}

// An address of either family, ready for bind.
struct bound_address {
  sockaddr_storage storage{};
  socklen_t size = 0;
};

bound_address ipv4_address(in_addr host, std::uint16_t port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr = host;
  bound_address made;
  std::memcpy(&made.storage, &address, sizeof address);
  made.size = sizeof address;
  return made;
}

bound_address ipv6_address(in6_addr host, std::uint16_t port) {
  sockaddr_in6 address{};
  address.sin6_family = AF_INET6;
  address.sin6_port = htons(port);
  address.sin6_addr = host;
  bound_address made;
  std::memcpy(&made.storage, &address, sizeof address);
  made.size = sizeof address;
  return made;
}

result<bound_address> address_of(const std::string& text, std::uint16_t port) {
  in_addr host4{};
  if (inet_pton(AF_INET, text == "localhost" ? "127.0.0.1" : text.c_str(), &host4) == 1)
    return ipv4_address(host4, port);
  in6_addr host6{};
  if (inet_pton(AF_INET6, text.c_str(), &host6) == 1) return ipv6_address(host6, port);
  return error{fmt::format("\"{}\" is no address", text), "give 127.0.0.1, ::1 or another IP address"};
}

// Returns the descriptor, or minus the errno of what failed.
int open_socket(const bound_address& address) {
  const int family = address.storage.ss_family;
  const int descriptor = socket(family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (descriptor < 0) return -errno;
  const int yes = 1;
  setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  if (family == AF_INET6) setsockopt(descriptor, IPPROTO_IPV6, IPV6_V6ONLY, &yes, sizeof yes);
  if (bind(descriptor, reinterpret_cast<const sockaddr*>(&address.storage), address.size) == 0 &&
      listen(descriptor, SOMAXCONN) == 0)
    return descriptor;
  const int code = errno;
  close(descriptor);
  return -code;
}

std::uint16_t port_of(int descriptor) {
  sockaddr_storage storage{};
  socklen_t size = sizeof storage;
  if (getsockname(descriptor, reinterpret_cast<sockaddr*>(&storage), &size) != 0) return 0;
  if (storage.ss_family == AF_INET6) {
    sockaddr_in6 address{};
    std::memcpy(&address, &storage, sizeof address);
    return ntohs(address.sin6_port);
  }
  sockaddr_in address{};
  std::memcpy(&address, &storage, sizeof address);
  return ntohs(address.sin_port);
}

error cannot_listen(const std::string& place, int code) {
  return {fmt::format("cannot listen on {}: {}", place, std::strerror(code)),
          code == EADDRINUSE ? "another program listens there; choose another port, or 0 for any that is free"
                             : "choose another address or port"};
}

// The other loopback at the same port. Returns 0 where it has been added or the machine has none, else an
// errno.
int add_other_loopback(listening& made) {
  const int descriptor = open_socket(ipv6_address(in6addr_loopback, made.port));
  if (descriptor >= 0) made.sockets.push_back({descriptor, AF_INET6});
  if (descriptor >= 0 || descriptor == -EAFNOSUPPORT || descriptor == -EADDRNOTAVAIL) return 0;
  return -descriptor;
}

result<listening> listen_on_address(const options& chosen) {
  const bool both = chosen.address == "127.0.0.1" || chosen.address == "localhost";
  const int attempts =
      chosen.port == 0 ? 20 : 1;  // a port that is free on one loopback may be taken on the other
  int code = 0;
  for (int attempt = 0; attempt < attempts; ++attempt) {
    const auto address = address_of(chosen.address, chosen.port);
    if (!address) return address.why();
    const int descriptor = open_socket(*address);
    if (descriptor < 0)
      return cannot_listen(fmt::format("{} port {}", chosen.address, chosen.port), -descriptor);
    listening made{{{descriptor, address->storage.ss_family}}, port_of(descriptor)};
    code = both ? add_other_loopback(made) : 0;
    if (code == 0) return made;
    close(descriptor);
  }
  return cannot_listen(fmt::format("::1 port {}", chosen.port), code);
}

// Removes a socket file that nobody listens on.
void remove_stale(const std::string& path, const sockaddr_un& address) {
  struct stat status {};
  if (lstat(path.c_str(), &status) != 0 || !S_ISSOCK(status.st_mode)) return;
  const int probe = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (probe < 0) return;
  const bool is_dead = connect(probe, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 &&
                       errno == ECONNREFUSED;
  close(probe);
  if (is_dead) unlink(path.c_str());
}

result<listening> listen_on_file(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof address.sun_path)
    return error{fmt::format("the path of the socket has {} bytes", path.size()),
                 fmt::format("give one of at most {}", sizeof address.sun_path - 1)};
  std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
  remove_stale(path, address);
  const int descriptor = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (descriptor < 0) return cannot_listen(path, errno);
  // Nobody can connect before listen(), so the mode is right from the first moment.
  if (bind(descriptor, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0 &&
      chmod(path.c_str(), S_IRUSR | S_IWUSR) == 0 && listen(descriptor, SOMAXCONN) == 0)
    return listening{{{descriptor, AF_UNIX}}, 0};
  const int code = errno;
  close(descriptor);
  return cannot_listen(path, code);
}

}  // namespace

result<void> accepted(const options& chosen) {
  const bool is_local = !chosen.socket_path.empty() || is_loopback(chosen.address);
  if (!is_local && !chosen.behind_proxy)
    return error{
        fmt::format("{} can be reached by others, and this server has no TLS", chosen.address),
        "listen on 127.0.0.1, or start it with --behind-proxy and --token-file behind a proxy that ends TLS"};
  if (chosen.open_access && (!is_local || chosen.behind_proxy))
    return error{"access without tokens is for this machine alone",
                 "leave out --no-token, or the proxy and address"};
  if (!chosen.open_access && chosen.tokens.empty()) return error{"the server has no tokens", "give it one"};
  for (const auto& one : chosen.tokens) {
    if (one.text.size() < 22)
      return error{"a token has fewer than 22 letters: it can be guessed",
                   "draw one with `openssl rand -hex 32`"};
  }
  return {};
}

result<listening> listen_on(const options& chosen) {
  return chosen.socket_path.empty() ? listen_on_address(chosen) : listen_on_file(chosen.socket_path);
}

}  // namespace ridge::server
