// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <unordered_set>
#include <vector>

#include <ridge/server/server.hpp>

#include "access/request_guard.hpp"
#include "access/token_book.hpp"
#include "net/asio.hpp"
#include "net/listening.hpp"
#include "numbers/metrics.hpp"
#include "routing/asset_shelf.hpp"
#include "routing/route_table.hpp"

namespace ridge::server {

class connection;

// What all connections share. But for what is marked, everything is used on the thread of `io` alone.
class engine final {
 public:
  engine(options chosen, service offered);
  ~engine();
  engine(const engine&) = delete;
  engine& operator=(const engine&) = delete;

  // Takes the sockets and begins to answer on a thread of its own. An error for routes that are wrong.
  [[nodiscard]] result<void> start(const listening& sockets);
  // Stops as server::stop does. Any thread, only the first call does it.
  void stop();

  // Counts the connections and streams that are open; any thread.
  [[nodiscard]] std::size_t open_connections() const { return open_connections_; }
  [[nodiscard]] std::size_t open_streams() const { return open_streams_; }

  // Enter and leave the set of connections.
  void enter(const std::shared_ptr<connection>& client);
  void leave(const std::shared_ptr<connection>& client);
  // Changes a connection into a stream; false when there are as many as allowed.
  [[nodiscard]] bool become_stream();
  void end_stream() { --open_streams_; }

  // Returns whether the server is stopping: every answer is then the last one of its connection.
  [[nodiscard]] bool stopping() const { return stopping_; }

  options settings;
  service offer;
  event_hub& hub;    // of `offer`; any thread
  token_book book;   // any thread
  metrics counts{};  // any thread
  asio::io_context io{1};
  asio::thread_pool handlers;  // any thread
  std::unique_ptr<request_guard> guard{};
  route_table table{};
  asset_shelf shelf;
  std::uint16_t port = 0;

 private:
  [[nodiscard]] std::vector<route> own_routes();
  task<void> accept(std::shared_ptr<acceptor_socket> acceptor);
  task<void> sweep();
  void admit(stream_socket socket);
  [[nodiscard]] bool make_room();
  void begin_to_stop();
  void wake_streams();

  std::vector<std::shared_ptr<acceptor_socket>> acceptors_{};
  std::unordered_set<std::shared_ptr<connection>> connections_{};
  std::unique_ptr<steady_timer> sweeper_{};
  std::atomic<std::size_t> open_connections_ = 0;
  std::atomic<std::size_t> open_streams_ = 0;
  std::atomic<bool> wake_is_posted_ = false;
  bool stopping_ = false;
  std::chrono::steady_clock::time_point stop_until_{};
  std::once_flag stopped_{};
  std::thread thread_{};
};

}  // namespace ridge::server
