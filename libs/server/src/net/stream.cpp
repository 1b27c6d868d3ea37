// SPDX-License-Identifier: Apache-2.0
// A connection as a stream of events (text/event-stream, HTML Living Standard section 9.2).
#include <charconv>
#include <utility>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/socket_base.hpp>
#include <boost/asio/write.hpp>

#include "net/connection.hpp"

namespace ridge::server {
namespace {

constexpr std::size_t batch_size = 256 * 1024;
constexpr int send_buffer = 64 * 1024;  // small, so that a client which does not read is soon known

std::string id_line(std::uint64_t id) { return "id: " + std::to_string(id) + "\n"; }

}  // namespace

std::string connection::stream_start(const exchange& made) {
  response answer;
  answer.content_type = "text/event-stream";
  answer.fields.push_back({"X-Accel-Buffering", "no"});  // a proxy must not hold events back
  auto text = header_text(answer, 0, {.keep_alive = false, .until_closed = true});
  text += "retry: 2000\n\n";
  sent_id_ = engine_.hub.last_id();
  const auto seen = value_of(made.head.fields, "last-event-id");
  if (!seen) return text + id_line(sent_id_) + "event: hello\ndata: {}\n\n";
  std::uint64_t id = 0;
  const auto [end, code] = std::from_chars(seen->data(), seen->data() + seen->size(), id);
  const bool is_id = code == std::errc{} && end == seen->data() + seen->size();
  if (is_id && engine_.hub.can_continue(id) &&
      engine_.hub.bytes_after(id) <= engine_.settings.limits.stream_backlog_bytes) {
    sent_id_ = id;
    return text;
  }
  return text + id_line(sent_id_) + "event: reset\ndata: {}\n\n";
}

task<bool> connection::write_to_stream(const std::string& text) {
  since_ = clock::now();
  writes_to_stream_ = true;
  expire_after(engine_.settings.limits.write_time);
  const auto whole = asio::buffer(text);
  const auto [error, count] = co_await asio::async_write(socket_, whole, awaited);
  writes_to_stream_ = false;
  no_deadline();
  co_return !error && count == text.size();
}

void connection::wake() {
  if (waits_for_events_) timer_.cancel();
}

void connection::stop_stream() {
  if (is_stream_) timer_.cancel();
}

task<void> connection::wait_for_events(clock::time_point until) {
  timer_.expires_at(until);
  const auto [error] = co_await timer_.async_wait(awaited);
  static_cast<void>(error);  // waking is what cancels it
}

task<void> connection::watch_end() {
  const auto self = shared_from_this();
  char more = 0;
  const auto place = asio::buffer(&more, 1);
  const auto [error, count] = co_await socket_.async_read_some(place, awaited);
  static_cast<void>(error);
  static_cast<void>(count);  // a client that sends more on a stream is closed as one that has gone
  close_now();
}

task<void> connection::stream(const exchange& made) {
  boost::system::error_code ignored;
  socket_.set_option(asio::socket_base::send_buffer_size(send_buffer), ignored);
  const auto begun = clock::now();
  auto text = stream_start(made);
  if (made.head.method == "HEAD") text.resize(text.find("\r\n\r\n") + 4);
  bool goes_on = co_await write_to_stream(text);
  engine_.counts.count(made.label, made.head.method, 200,
                       std::chrono::duration<double>(clock::now() - begun).count());
  if (made.head.method == "HEAD") goes_on = false;
  if (goes_on) asio::co_spawn(engine_.io, watch_end(), asio::detached);
  auto written = clock::now();
  while (goes_on && socket_.is_open()) {
    const bool has_events = engine_.hub.last_id() != sent_id_;
    if (!has_events && engine_.stopping()) break;
    const auto due = written + (has_events ? engine_.settings.event_interval : engine_.settings.heartbeat);
    if (clock::now() < due && !engine_.stopping()) {
      waits_for_events_ = !has_events;
      co_await wait_for_events(due);
      waits_for_events_ = false;
      continue;
    }
    if (has_events) {
      if (!engine_.hub.can_continue(sent_id_)) break;  // fell out of what is kept: the client starts anew
      auto batch = engine_.hub.after(sent_id_, batch_size);
      sent_id_ = batch.last_id;
      goes_on = co_await write_to_stream(batch.text);
    } else {
      const std::string heartbeat = ":\n\n";
      goes_on = co_await write_to_stream(heartbeat);
    }
    written = clock::now();
  }
  engine_.end_stream();
}

}  // namespace ridge::server
