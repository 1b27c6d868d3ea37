// SPDX-License-Identifier: Apache-2.0
#include "net/engine.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>

#include "net/connection.hpp"

namespace ridge::server {
namespace {

using namespace std::chrono_literals;

constexpr auto sweep_interval = 50ms;
constexpr std::size_t most_refusals = 64;  // connections above the limit that are told so at one time

service with_events(service offered) {
  if (!offered.events) offered.events = std::make_shared<event_hub>();
  return offered;
}

std::string peer_of(const stream_socket& socket) {
  boost::system::error_code error;
  const auto end = socket.remote_endpoint(error);
  if (error) return "unknown";
  const auto* address = static_cast<const sockaddr*>(end.data());
  std::array<char, INET6_ADDRSTRLEN> text{};
  if (address->sa_family == AF_INET)
    inet_ntop(AF_INET, &reinterpret_cast<const sockaddr_in*>(address)->sin_addr, text.data(), text.size());
  else if (address->sa_family == AF_INET6)
    inet_ntop(AF_INET6, &reinterpret_cast<const sockaddr_in6*>(address)->sin6_addr, text.data(), text.size());
  else
    return "unix";
  return text.data();
}

}  // namespace

engine::engine(options chosen, service offered)
    : settings(std::move(chosen)),
      offer(with_events(std::move(offered))),
      hub(*offer.events),
      book(settings.limits.session_time, settings.tokens),
      handlers(std::max<std::size_t>(settings.handler_threads, 1)),
      shelf(offer.assets) {
  settings.tokens.clear();  // only their digests are kept
  offer.assets.clear();
}

engine::~engine() { stop(); }

result<void> engine::start(const listening& sockets) {
  port = sockets.port;
  for (const auto& one : sockets.sockets) {
    auto acceptor = std::make_shared<acceptor_socket>(io);
    acceptor->assign(asio::generic::stream_protocol(one.family, one.family == AF_UNIX ? 0 : IPPROTO_TCP),
                     one.descriptor);
    acceptors_.push_back(acceptor);
  }
  auto routes = own_routes();
  for (auto& one : offer.routes) routes.push_back(std::move(one));
  offer.routes.clear();
  auto made = route_table::of_routes(std::move(routes));
  if (!made) return made.why();
  table = std::move(made).value();
  guard = std::make_unique<request_guard>(settings, port, book);
  sweeper_ = std::make_unique<steady_timer>(io);
  hub.on_publish([this] {
    if (!wake_is_posted_.exchange(true)) asio::post(io, [this] { wake_streams(); });
  });
  for (const auto& acceptor : acceptors_) asio::co_spawn(io, accept(acceptor), asio::detached);
  asio::co_spawn(io, sweep(), asio::detached);
  thread_ = std::thread([this] { io.run(); });
  return {};
}

task<void> engine::accept(std::shared_ptr<acceptor_socket> acceptor) {
  while (!stopping_) {
    stream_socket socket(io);
    const auto [error] = co_await acceptor->async_accept(socket, awaited);
    if (stopping_) co_return;
    if (!error) {
      admit(std::move(socket));
      continue;
    }
    // Out of descriptors, most likely: others must close first.
    steady_timer pause(io, 100ms);
    const auto [cancelled] = co_await pause.async_wait(awaited);
    static_cast<void>(cancelled);
  }
}

void engine::admit(stream_socket socket) {
  const int yes = 1;
  setsockopt(socket.native_handle(), IPPROTO_TCP, TCP_NODELAY, &yes,
             sizeof yes);  // does nothing on a Unix socket
  const bool has_room = make_room();
  if (!has_room && connections_.size() - open_streams_ >= settings.limits.connections + most_refusals) return;
  auto peer = peer_of(socket);
  auto made = std::make_shared<connection>(*this, std::move(socket), std::move(peer));
  enter(made);
  asio::co_spawn(io, has_room ? made->serve() : made->refuse(), asio::detached);
}

// Where all connections are taken, the one that has been idle for longest gives way.
bool engine::make_room() {
  if (connections_.size() - open_streams_ < settings.limits.connections) return true;
  std::shared_ptr<connection> oldest;
  for (const auto& one : connections_) {
    const auto idle = one->idle_since();
    if (idle && (!oldest || *idle < *oldest->idle_since())) oldest = one;
  }
  if (!oldest) return false;
  oldest->close_now();
  return true;
}

void engine::enter(const std::shared_ptr<connection>& client) {
  connections_.insert(client);
  open_connections_ = connections_.size();
}

void engine::leave(const std::shared_ptr<connection>& client) {
  connections_.erase(client);
  open_connections_ = connections_.size();
}

bool engine::become_stream() {
  if (open_streams_ >= settings.limits.streams) return false;
  ++open_streams_;
  return true;
}

task<void> engine::sweep() {
  while (!stopping_ || !connections_.empty()) {
    sweeper_->expires_after(stopping_ ? 5ms : sweep_interval);
    const auto [error] = co_await sweeper_->async_wait(awaited);
    static_cast<void>(error);
    const auto now = std::chrono::steady_clock::now();
    const std::vector<std::shared_ptr<connection>> all(connections_.begin(), connections_.end());
    for (const auto& one : all) {
      one->check_time(now);
      if (stopping_ && now >= stop_until_) one->close_now();
    }
  }
}

void engine::wake_streams() {
  wake_is_posted_ = false;
  for (const auto& one : connections_)
    if (one->is_stream()) one->wake();
}

void engine::begin_to_stop() {
  stopping_ = true;
  stop_until_ = std::chrono::steady_clock::now() + settings.limits.stop_time;
  boost::system::error_code ignored;
  for (const auto& acceptor : acceptors_) acceptor->close(ignored);
  const std::vector<std::shared_ptr<connection>> all(connections_.begin(), connections_.end());
  for (const auto& one : all) {
    one->close_idle();
    one->stop_stream();
  }
  sweeper_->cancel();
}

void engine::stop() {
  std::call_once(stopped_, [this] {
    if (thread_.joinable()) {
      asio::post(io, [this] { begin_to_stop(); });
      thread_.join();
    }
    hub.on_publish({});
    handlers.join();
    if (!settings.socket_path.empty()) unlink(settings.socket_path.c_str());
  });
}

}  // namespace ridge::server
