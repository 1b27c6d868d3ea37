// SPDX-License-Identifier: Apache-2.0
#include "net/connection.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <boost/asio/socket_base.hpp>
#include <boost/asio/write.hpp>

#include <ridge/base/text.hpp>

namespace ridge::server {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t read_size = 16 * 1024;
constexpr std::size_t most_ahead = 128 * 1024;  // of a body's bytes that are not taken apart yet

std::string_view text_of(const boost::beast::flat_buffer& buffer) {
  const auto data = buffer.data();
  return {static_cast<const char*>(data.data()), data.size()};
}

// Returns the length of the header at the front of `text`; 0 when it has not ended. Sets `is_broken` at the
// first line that ends without a carriage return: such a header would never end.
std::size_t header_length(std::string_view text, std::size_t from, bool& is_broken) {
  for (auto end = text.find('\n', from); end != std::string_view::npos; end = text.find('\n', end + 1)) {
    if (end == 0 || text[end - 1] != '\r') return is_broken = true, 0;
    if (end == 1 || (end >= 3 && text[end - 2] == '\n')) return end + 1;
  }
  return 0;
}

}  // namespace

connection::connection(engine& engine, stream_socket socket, std::string peer)
    : engine_(engine),
      socket_(std::move(socket)),
      peer_(std::move(peer)),
      received_(engine.settings.limits.header_bytes + most_ahead),
      timer_(engine.io) {}

task<void> connection::serve() {
  const auto self = shared_from_this();
  bool goes_on = true;
  while (goes_on) goes_on = co_await serve_one();
  close_now();
  engine_.leave(self);
}

task<std::size_t> connection::read_header(std::optional<refusal>& refused) {
  std::size_t looked_at = 0;
  bool is_broken = false;
  is_idle_ = received_.size() == 0;
  expired_ = false;
  since_ = clock::now();
  expire_after(engine_.settings.limits.idle_time);
  while (true) {
    const auto text = text_of(received_);
    const auto length = header_length(text, looked_at, is_broken);
    looked_at = text.size();
    const auto most = engine_.settings.limits.header_bytes;
    if (length > most || (length == 0 && text.size() > most)) {
      refused =
          refusal{431, {"the header has more than " + std::to_string(most) + " bytes", "send fewer fields"}};
      co_return 0;
    }
    if (is_broken) refused = refusal{400, {"a line of the header ends without a carriage return", ""}};
    if (is_broken || length > 0) co_return length;
    const auto place = received_.prepare(read_size);
    const auto [error, count] = co_await socket_.async_read_some(place, awaited);
    if (error && expired_ && !is_idle_)
      refused = refusal{408, {"the header did not arrive in time", "send it at once"}};
    if (error) co_return 0;
    if (is_idle_) expire_after(engine_.settings.limits.header_time);
    is_idle_ = false;
    received_.commit(count);
  }
}

std::optional<refusal> connection::read_head(body_parser& parser, std::size_t bytes, exchange& made) {
  const auto text = text_of(received_).substr(0, bytes);
  if (auto refused = header_refusal(text)) return refused;
  boost::beast::error_code error;
  parser.header_limit(static_cast<std::uint32_t>(engine_.settings.limits.header_bytes + 1));
  parser.body_limit(boost::none);  // counted here, so that the answer can say what is allowed
  const auto used = parser.put(asio::buffer(text.data(), text.size()), error);
  const auto& head = parser.get();
  made.head.method = std::string(head.method_string());
  made.head.target = std::string(head.target());
  made.head.is_1_0 = head.version() == 10;
  made.head.keep_alive = parser.is_header_done() && head.keep_alive();
  for (const auto& field : head)
    made.head.fields.push_back(
        {lower_case(std::string_view(field.name_string())), std::string(field.value())});
  if (auto refused = framing_refusal(made.head, made.framing)) return refused;
  if (error || !parser.is_header_done() || used != bytes)
    return refusal{400, {"the header is not one of HTTP/1.1", "send a request as RFC 9112 describes it"}};
  received_.consume(used);
  return std::nullopt;
}

bool connection::keeps_alive(const exchange& made) const {
  return made.head.keep_alive && made.body_is_read && !engine_.stopping();
}

answer_form connection::form_of(const exchange& made) const {
  return {.is_head = made.head.method == "HEAD",
          .reads = made.head.method == "HEAD" || made.head.method == "GET",
          .keep_alive = keeps_alive(made),
          .gzip = accepts_gzip(value_of(made.head.fields, "accept-encoding").value_or("")),
          .if_none_match = std::string(value_of(made.head.fields, "if-none-match").value_or(""))};
}

task<bool> connection::serve_one() {
  std::optional<refusal> refused;
  const auto bytes = co_await read_header(refused);
  if (bytes == 0 && !refused) co_return false;
  const auto begun = clock::now();
  no_deadline();
  body_parser parser;
  exchange made;
  if (!refused) refused = read_head(parser, bytes, made);
  message answer;
  if (refused) {
    answer = message_of(problem(refused->status, refused->why), {.keep_alive = false});
  } else {
    made.body_is_read = !made.framing.chunked && made.framing.length == 0;
    answer = co_await answered(parser, made);
  }
  if (is_stream_) {
    co_await stream(made);
    co_return false;
  }
  if (engine_.stopping()) close_with(answer);  // it may have begun to stop while the handler worked
  const bool sent = co_await send(answer);
  engine_.counts.count(made.label, refused ? "-" : std::string_view(made.head.method), answer.status,
                       std::chrono::duration<double>(clock::now() - begun).count());
  if (sent && !answer.closes) co_return true;
  if (sent) co_await linger();
  co_return false;
}

task<bool> connection::send(const message& answer) {
  expire_after(engine_.settings.limits.write_time);
  expired_ = false;
  const std::array<asio::const_buffer, 2> parts{
      asio::buffer(answer.header), answer.body ? asio::buffer(*answer.body) : asio::const_buffer{}};
  const auto [error, count] = co_await asio::async_write(socket_, parts, awaited);
  no_deadline();
  co_return !error && count > 0;
}

task<void> connection::linger() {
  // What the client still sends is read for a while: closing with unread bytes would reset the connection and
  // may take the answer from the client.
  boost::system::error_code ignored;
  socket_.shutdown(asio::socket_base::shutdown_send, ignored);
  expire_after(engine_.stopping() ? 100ms : 1000ms);
  constexpr std::size_t most = 256 * 1024;
  std::array<char, 4096> dropped{};
  for (std::size_t read = 0; read < most;) {
    const auto place = asio::buffer(dropped);
    const auto [error, count] = co_await socket_.async_read_some(place, awaited);
    if (error) co_return;
    read += count;
  }
}

task<void> connection::refuse() {
  const auto self = shared_from_this();
  is_idle_ = false;
  auto full = problem(503, {"there are as many connections as this server allows", "close some"});
  full.fields.push_back({"Retry-After", "1"});
  const auto answer = message_of(std::move(full), {.keep_alive = false});
  const bool sent = co_await send(answer);
  if (sent) co_await linger();
  close_now();
  engine_.leave(self);
}

void connection::check_time(clock::time_point now) {
  if (writes_to_stream_ && now - since_ > 500ms &&
      engine_.hub.bytes_after(sent_id_) > engine_.settings.limits.stream_backlog_bytes) {
    engine_.counts.drop_stream();
    close_now();
  } else if (now >= deadline_) {
    if (writes_to_stream_) engine_.counts.drop_stream();
    expired_ = true;
    no_deadline();
    boost::system::error_code ignored;
    socket_.cancel(ignored);
  }
}

std::optional<connection::clock::time_point> connection::idle_since() const {
  return is_idle_ && !is_stream_ ? std::optional(since_) : std::nullopt;
}

void connection::close_idle() {
  if (is_idle_ && !is_stream_) close_now();
}

void connection::close_now() {
  boost::system::error_code ignored;
  is_idle_ = false;
  socket_.close(ignored);
  timer_.cancel();
}

}  // namespace ridge::server
