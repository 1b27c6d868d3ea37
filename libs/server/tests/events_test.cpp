// SPDX-License-Identifier: Apache-2.0
// Streams of events, over sockets.
#include <string>
#include <vector>

#include <gmock/gmock.h>

#include <ridge/base/error.hpp>

#include "served.hpp"

namespace ridge::server {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

raw_client stream_of(const served& one, const std::string& more = "") {
  auto client = one.client();
  client.send(one.request_text("GET /api/events", more));
  EXPECT_NE(client.read_until("retry: 2000\n\n"), std::string::npos);
  return client;
}

std::string frame(std::uint64_t id, const std::string& type, const std::string& data) {
  return "id: " + std::to_string(id) + "\nevent: " + type + "\ndata: " + data + "\n\n";
}

std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + part.size())) ++count;
  return count;
}

TEST(server_events, arrive_in_order_with_rising_ids) {
  served one;
  auto client = stream_of(one);
  EXPECT_THAT(client.received(), HasSubstr("Content-Type: text/event-stream\r\n"));
  EXPECT_NE(client.read_until("event: hello\ndata: {}\n\n"), std::string::npos);
  const auto first = one.its().events().publish({"result", "", "{\"n\":1}"});
  const auto second = one.its().events().publish({"result", "", "{\"n\":2}"});
  EXPECT_EQ(second, first + 1);
  EXPECT_NE(client.read_until(frame(first, "result", "{\"n\":1}")), std::string::npos);
  EXPECT_NE(client.read_until(frame(second, "result", "{\"n\":2}")), std::string::npos);
}

TEST(server_events, are_replayed_from_the_last_one_that_was_seen) {
  served one;
  auto& hub = one.its().events();
  const auto first = hub.publish({"log", "", "1"});
  hub.publish({"log", "", "2"});
  hub.publish({"log", "", "3"});
  auto client = stream_of(one, "Last-Event-ID: " + std::to_string(first) + "\r\n");
  EXPECT_NE(client.read_until(frame(first + 1, "log", "2") + frame(first + 2, "log", "3")),
            std::string::npos);
  EXPECT_EQ(count_of(client.received(), "data: 1"), 0U);
}

TEST(server_events, that_cannot_be_replayed_begin_with_a_reset) {
  served one;
  auto& hub = one.its().events();
  for (int i = 0; i < 10'100; ++i) hub.publish({"log", "", std::to_string(i)});
  const auto last = hub.last_id();
  for (const auto& seen :
       std::vector<std::string>{"1", "x", "-1", std::to_string(last + 1), std::to_string(last - 10'001)}) {
    auto client = stream_of(one, "Last-Event-ID: " + seen + "\r\n");
    EXPECT_NE(client.read_until("id: " + std::to_string(last) + "\nevent: reset\ndata: {}\n\n"),
              std::string::npos)
        << seen;
  }
  auto client = stream_of(one, "Last-Event-ID: " + std::to_string(last - 10'000) + "\r\n");
  EXPECT_NE(client.read_until("data: 10099\n\n"), std::string::npos) << "the last 10,000 are kept";
  EXPECT_EQ(count_of(client.received(), "event: log"), 10'000U);
}

TEST(server_events, of_one_key_replace_each_other_four_times_a_second) {
  served one;
  auto client = stream_of(one);
  const auto until = std::chrono::steady_clock::now() + 1s;
  int published = 0;
  while (std::chrono::steady_clock::now() < until) {
    one.its().events().publish({"run.state", "run-1", std::to_string(++published)});
    one.its().events().publish({"log", "", "line"});
    std::this_thread::sleep_for(5ms);
  }
  EXPECT_NE(client.read_until("data: " + std::to_string(published) + "\n\n"), std::string::npos)
      << "the last one arrives";
  const auto states = count_of(client.received(), "event: run.state");
  EXPECT_GE(states, 3U);
  EXPECT_LE(states, 6U);
  client.read_for(300ms);
  EXPECT_EQ(count_of(client.received(), "event: log"), static_cast<std::size_t>(published))
      << "those without a key all arrive";
}

TEST(server_events, beat_while_nothing_happens) {
  auto chosen = small_options();
  chosen.heartbeat = 100ms;
  served one(chosen);
  auto client = stream_of(one);
  EXPECT_NE(client.read_until("\n\n:\n\n:\n\n"), std::string::npos);
}

TEST(server_events, drop_a_client_that_does_not_read_and_serve_the_others) {
  served one;
  auto slow = one.client();
  const int small = 4096;
  setsockopt(slow.descriptor(), SOL_SOCKET, SO_RCVBUF, &small, sizeof small);
  slow.send(one.request_text("GET /api/events"));
  auto good = stream_of(one);
  const std::string data(10'000, '7');
  bool dropped = false;
  for (int i = 0; i < 60 && !dropped; ++i) {
    for (int k = 0; k < 10; ++k) one.its().events().publish({"log", "", data});
    good.read_for(50ms);
    good.forget();
    dropped = one.get("/metrics").body.find("ridge_event_streams_dropped_total 1\n") != std::string::npos;
  }
  EXPECT_TRUE(dropped);
  const auto id = one.its().events().publish({"log", "", "after"});
  EXPECT_NE(good.read_until(frame(id, "log", "after")), std::string::npos);
  EXPECT_THAT(one.get("/metrics").body, HasSubstr("ridge_event_streams 1\n"));
}

TEST(server_events, streams_whose_client_has_gone_end_at_once) {
  served one;
  { auto gone = stream_of(one); }
  std::this_thread::sleep_for(100ms);
  EXPECT_THAT(one.get("/metrics").body, HasSubstr("ridge_event_streams 0\n"));
}

TEST(server_events, reach_200_streams_while_requests_are_answered) {
  served one;
  std::vector<raw_client> streams;
  for (int i = 0; i < 200; ++i) streams.push_back(stream_of(one));
  const auto id = one.its().events().publish({"result", "", "{}"});
  const auto begun = std::chrono::steady_clock::now();
  EXPECT_EQ(one.get("/api/items/1").status, 200);
  EXPECT_LT(std::chrono::steady_clock::now() - begun, 500ms);
  for (auto& client : streams) EXPECT_NE(client.read_until(frame(id, "result", "{}")), std::string::npos);
}

TEST(server_events, that_were_published_before_the_stop_are_written) {
  served one;
  auto client = stream_of(one);
  std::uint64_t last = 0;
  for (int i = 0; i < 100; ++i) last = one.its().events().publish({"log", "", std::to_string(i)});
  one.its().stop();
  EXPECT_TRUE(client.is_closed_within(1s));
  EXPECT_THAT(client.received(), HasSubstr(frame(last, "log", "99")));
  EXPECT_EQ(count_of(client.received(), "event: log"), 100U);
}

TEST(server_events, the_answer_to_head_is_a_header) {
  served one;
  auto client = one.client();
  client.send(one.request_text("HEAD /api/events"));
  EXPECT_EQ(client.answer(true).status, 200);
  EXPECT_TRUE(client.is_closed_within(1s));
  EXPECT_EQ(client.received(), "");
}

TEST(server_event_hub, keeps_so_many_events_and_bytes) {
  event_hub hub(3, 1'000'000, 100);
  EXPECT_EQ(hub.last_id(), 99U);
  EXPECT_TRUE(hub.can_continue(99));
  EXPECT_FALSE(hub.can_continue(98));
  EXPECT_FALSE(hub.can_continue(100));
  for (int i = 0; i < 5; ++i) hub.publish({"log", "", std::to_string(i)});
  EXPECT_EQ(hub.last_id(), 104U);
  EXPECT_FALSE(hub.can_continue(100));
  EXPECT_TRUE(hub.can_continue(101));
  EXPECT_EQ(hub.after(101, 1'000'000).text,
            frame(102, "log", "2") + frame(103, "log", "3") + frame(104, "log", "4"));
  EXPECT_EQ(hub.bytes_after(103), frame(104, "log", "4").size());
  EXPECT_EQ(hub.bytes_after(104), 0U);
  event_hub small(1000, 100, 1);
  for (int i = 0; i < 5; ++i) small.publish({"log", "", std::string(60, 'x')});
  EXPECT_TRUE(small.can_continue(4));
  EXPECT_FALSE(small.can_continue(3)) << "one event of 80 bytes fits 100";
}

TEST(server_event_hub, cuts_a_batch_and_goes_on) {
  event_hub hub(100, 1'000'000, 1);
  for (int i = 0; i < 4; ++i) hub.publish({"log", "", std::string(100, static_cast<char>('a' + i))});
  const auto first = hub.after(0, 150);
  EXPECT_TRUE(first.more);
  EXPECT_EQ(first.last_id, 2U);
  const auto second = hub.after(first.last_id, 1'000);
  EXPECT_FALSE(second.more);
  EXPECT_EQ(second.last_id, 4U);
  EXPECT_EQ(count_of(first.text + second.text, "event: log"), 4U);
}

TEST(server_event_hub, keeps_the_last_of_a_key) {
  event_hub hub(100, 1'000'000, 1);
  hub.publish({"state", "a", "1"});
  hub.publish({"state", "b", "2"});
  hub.publish({"state", "a", "3"});
  hub.publish({"other", "a", "4"});
  EXPECT_EQ(hub.after(0, 1'000).text,
            frame(2, "state", "2") + frame(3, "state", "3") + frame(4, "other", "4"));
}

TEST(server_event_hub, refuses_events_that_would_break_the_stream) {
  event_hub hub;
  EXPECT_THROW(hub.publish({"log\ndata: x", "", "{}"}), precondition_violated);
  EXPECT_THROW(hub.publish({"", "", "{}"}), precondition_violated);
  EXPECT_THROW(hub.publish({"log", "", "{}\n\nid: 1"}), precondition_violated);
  EXPECT_THROW(hub.publish({"log", "", std::string(65 * 1024, 'x')}), precondition_violated);
}

}  // namespace
}  // namespace ridge::server
