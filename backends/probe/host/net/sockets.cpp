// SPDX-License-Identifier: Apache-2.0
#include "net/sockets.hpp"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/time.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <string>

#include <ridge/base/error.hpp>

#include "os/partner.hpp"

namespace ridge::backends::probe_host {
namespace {

void expect_allowed(bool done, const char* what) {
  if (!done) throw unavailable(std::string(what) + ": " + std::strerror(errno), "allow sockets here");
}

void set_option(const local_socket& on, int level, int option, int value) {
  setsockopt(on.descriptor(), level, option, &value, sizeof value);
}

void limit_waiting(const local_socket& on) {
  const timeval limit{static_cast<time_t>(patience_s), 0};
  for (const int direction : {SO_RCVTIMEO, SO_SNDTIMEO})
    expect_allowed(setsockopt(on.descriptor(), SOL_SOCKET, direction, &limit, sizeof limit) == 0,
                   "a limit on a socket's waiting");
}

local_socket tcp_socket(const socket_maker& make) {
  local_socket made(make(AF_INET, SOCK_STREAM));
  expect_allowed(made.descriptor() >= 0, "a TCP socket");
  limit_waiting(made);
  return made;
}

sockaddr* generic(sockaddr_in& address) { return static_cast<sockaddr*>(static_cast<void*>(&address)); }

socket_pair connect_tcp(const socket_maker& make) {
  const auto door = tcp_socket(make);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  expect_allowed(bind(door.descriptor(), generic(address), size) == 0 && listen(door.descriptor(), 1) == 0 &&
                     getsockname(door.descriptor(), generic(address), &size) == 0,
                 "listening on 127.0.0.1");
  socket_pair pair;
  pair.near = tcp_socket(make);
  expect_allowed(connect(pair.near.descriptor(), generic(address), size) == 0, "connecting to 127.0.0.1");
  pair.far = local_socket(accept4(door.descriptor(), nullptr, nullptr, SOCK_CLOEXEC));
  expect_allowed(pair.far.descriptor() >= 0, "accepting on 127.0.0.1");
  limit_waiting(pair.far);
  for (const auto* one : {&pair.near, &pair.far}) set_option(*one, IPPROTO_TCP, TCP_NODELAY, 1);
  return pair;
}

socket_pair connect_unix() {
  std::array<int, 2> ends{-1, -1};
  expect_allowed(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) == 0, "a Unix socket");
  socket_pair pair{local_socket(ends[0]), local_socket(ends[1])};
  limit_waiting(pair.near), limit_waiting(pair.far);
  return pair;
}

}  // namespace

local_socket::~local_socket() {
  if (descriptor_ >= 0) close(descriptor_);
}

int make_socket(int domain, int type) { return socket(domain, type | SOCK_CLOEXEC, 0); }

socket_pair connect_pair(transport how, const socket_maker& make) {
  return how == transport::tcp ? connect_tcp(make) : connect_unix();
}

bool send_all(const local_socket& to, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const auto sent = send(to.descriptor(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return false;
    bytes = bytes.subspan(static_cast<std::size_t>(sent));
  }
  return true;
}

bool receive_all(const local_socket& from, std::span<std::byte> bytes, waiting how) {
  using clock = std::chrono::steady_clock;
  const auto end = clock::now() + std::chrono::duration<double>(patience_s);
  while (!bytes.empty()) {
    const auto got =
        recv(from.descriptor(), bytes.data(), bytes.size(), how == waiting::busy ? MSG_DONTWAIT : 0);
    const bool again = got < 0 && (errno == EINTR || (errno == EAGAIN && how == waiting::busy));
    if (again && clock::now() < end) continue;
    if (got <= 0) return false;
    bytes = bytes.subspan(static_cast<std::size_t>(got));
  }
  return true;
}

}  // namespace ridge::backends::probe_host
