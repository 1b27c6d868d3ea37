// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/buffer_body.hpp>
#include <boost/beast/http/parser.hpp>

#include "http/message.hpp"
#include "http/request_head.hpp"
#include "net/asio.hpp"
#include "net/engine.hpp"

namespace ridge::server {

// One client: reads requests, has them answered, one after the other. Its coroutines hold it.
class connection final : public std::enable_shared_from_this<connection> {
 public:
  using clock = std::chrono::steady_clock;
  connection(engine& engine, stream_socket socket, std::string peer);

  // Reads and answers requests until the client, an error, a limit or the end of the server ends it.
  task<void> serve();
  // Answers that there are too many connections, and closes.
  task<void> refuse();

  // Called by the sweeper: ends what has waited too long, and streams whose client is too slow.
  void check_time(clock::time_point now);
  // Ends a stream's wait for events, since there are some.
  void wake();
  // Ends any wait of a stream, since the server stops: it writes what is left and ends.
  void stop_stream();
  // Closes the connection when it is between two requests.
  void close_idle();
  void close_now();

  // Returns since when it is between two requests; nothing when it is not.
  [[nodiscard]] std::optional<clock::time_point> idle_since() const;
  // Returns whether it is a stream of events.
  [[nodiscard]] bool is_stream() const { return is_stream_; }

 private:
  using body_parser = boost::beast::http::request_parser<boost::beast::http::buffer_body>;
  // What is known of the request that is being answered.
  struct exchange {
    request_head head{};
    body_framing framing{};
    const route* found = nullptr;
    const shelved_asset* asset = nullptr;
    request asked{};
    std::string label{"unmatched"};  // for /metrics
    bool body_is_read = false;
  };

  // A body that is taken in parts.
  struct transfer {
    std::unique_ptr<body_sink> sink{};
    std::string part{};
    std::optional<response> ended{};  // the answer, when it ended early
  };

  task<bool> serve_one();
  // Returns the length of the header, with the empty line; 0 when the client has gone or is refused.
  task<std::size_t> read_header(std::optional<refusal>& refused);
  [[nodiscard]] std::optional<refusal> read_head(body_parser& parser, std::size_t bytes, exchange& made);
  [[nodiscard]] std::optional<response> find(exchange& made);
  task<message> answered(body_parser& parser, exchange& made);
  // Returns how many bytes the body may have.
  [[nodiscard]] std::size_t most_bytes(const exchange& made) const;
  task<std::optional<response>> continue_if_expected(const exchange& made);
  // Reads the next part of the body into `part`, until this time. Returns the answer when that fails.
  task<std::optional<response>> read_part(body_parser& parser, std::string& part, clock::time_point until);
  task<std::optional<response>> read_body(body_parser& parser, exchange& made);
  task<message> received_in_parts(body_parser& parser, exchange& made);
  // Return what a thread of the handlers does; what is passed must live until it has ended.
  static std::function<void()> handling(const exchange& made, const answer_form& form, message& answer);
  static std::function<void()> taking_part(const exchange& made, transfer& sent);
  static std::function<void()> finishing(transfer& sent, const answer_form& form, message& answer);
  [[nodiscard]] message asset_message(const exchange& made) const;
  [[nodiscard]] answer_form form_of(const exchange& made) const;
  [[nodiscard]] bool keeps_alive(const exchange& made) const;
  // Returns whether all was written.
  task<bool> send(const message& answer);
  task<void> linger();

  task<void> stream(const exchange& made);
  task<bool> write_to_stream(const std::string& text);
  task<void> wait_for_events(clock::time_point until);
  [[nodiscard]] std::string stream_start(const exchange& made);
  task<void> watch_end();

  void expire_after(std::chrono::milliseconds time) { deadline_ = clock::now() + time; }
  void no_deadline() { deadline_ = clock::time_point::max(); }

  engine& engine_;
  stream_socket socket_;
  std::string peer_;
  boost::beast::flat_buffer received_;  // limited: the header of a chunk may be as long as a client likes
  clock::time_point deadline_ = clock::time_point::max();
  clock::time_point since_ = clock::now();  // idle, or writing to a stream
  bool is_idle_ = true;
  bool expired_ = false;
  bool is_stream_ = false;
  bool writes_to_stream_ = false;
  bool waits_for_events_ = false;
  std::uint64_t sent_id_ = 0;  // the last event that the stream was given
  steady_timer timer_;
};

}  // namespace ridge::server
