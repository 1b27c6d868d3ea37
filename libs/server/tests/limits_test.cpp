// SPDX-License-Identifier: Apache-2.0
// What a client may not do to the server and to other clients.
#include <string>

#include <gmock/gmock.h>

#include "served.hpp"

namespace ridge::server {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

TEST(server_limits, a_header_has_16_kilobytes_at_most) {
  served one;
  EXPECT_EQ(one.get("/version", "X-Long: " + std::string(15'000, 'a') + "\r\n").status, 200);
  const auto answer = one.get("/version", "X-Long: " + std::string(17'000, 'a') + "\r\n");
  EXPECT_EQ(answer.status, 431);
  EXPECT_EQ(answer.field("content-type").value_or(""), "application/problem+json");
  EXPECT_EQ(one.get("/" + std::string(17'000, 'a')).status, 431);
  auto endless = one.client();
  endless.send("GET / HTTP/1.1\r\nX: ");
  for (int i = 0; i < 40 && endless.send(std::string(1000, 'x')); ++i) {
  }
  EXPECT_EQ(endless.answer().status, 431) << "refused before the header ends";
}

TEST(server_limits, a_body_has_one_megabyte_at_most) {
  served one;
  const auto post = [&](std::size_t bytes) {
    return one.answer_to(one.request_text("POST /api/things",
                                          changing + "Content-Length: " + std::to_string(bytes) + "\r\n",
                                          std::string(bytes, ' ')));
  };
  EXPECT_EQ(post(1024 * 1024).body, "{\"bytes\":1048576}");
  EXPECT_EQ(post(1024 * 1024 + 1).status, 413);
  auto chunked = one.client();
  chunked.send(one.request_text("POST /api/things", changing + "Transfer-Encoding: chunked\r\n"));
  const auto chunk = "10000\r\n" + std::string(0x10000, 'x') + "\r\n";
  for (int i = 0; i < 20 && chunked.send(chunk); ++i) {
  }
  EXPECT_EQ(chunked.answer().status, 413) << "counted as it arrives";
}

TEST(server_limits, a_refused_body_is_not_waited_for) {
  served one;
  auto client = one.client();
  client.send(one.bare_text("POST /api/things", changing + "Content-Length: 900000\r\n"));
  const auto answer = client.answer();
  EXPECT_EQ(answer.status, 401);
  EXPECT_EQ(answer.field("connection").value_or(""), "close");
}

TEST(server_limits, bodies_in_bulk_are_taken_in_parts_up_to_their_own_limit) {
  auto chosen = small_options();
  chosen.limits.bulk_bytes = 4 * 1024 * 1024;
  served one(chosen);
  const std::string type = "Content-Type: application/x-ndjson\r\nX-Ridge-Request: 1\r\n";
  const auto post = [&](std::size_t bytes) {
    return one.answer_to(one.request_text("POST /api/bulk",
                                          type + "Content-Length: " + std::to_string(bytes) + "\r\n",
                                          std::string(bytes, ' ')));
  };
  EXPECT_EQ(post(4 * 1024 * 1024).body, "{\"bytes\":4194304}");
  EXPECT_EQ(post(0).body, "{\"bytes\":0}");
  EXPECT_EQ(post(4 * 1024 * 1024 + 1).status, 413);
  auto chunked = one.client();
  chunked.send(one.request_text("POST /api/bulk", type + "Transfer-Encoding: chunked\r\n",
                                "5\r\nabcde\r\n3\r\nfgh\r\n0\r\n\r\n"));
  EXPECT_EQ(chunked.answer().body, "{\"bytes\":8}");
  chunked.send(one.request_text("GET /api/items/1"));
  EXPECT_EQ(chunked.answer().status, 200) << "the connection goes on behind a body that was read whole";
}

TEST(server_limits, slow_headers_and_bodies_are_dropped) {
  auto chosen = small_options();
  chosen.limits.header_time = 300ms;
  chosen.limits.body_time = 300ms;
  served one(chosen);
  auto header = one.client();
  auto body = one.client();
  body.send(one.request_text("POST /api/things", changing + "Content-Length: 100\r\n", "{"));
  // A byte now and then does not help: the header as a whole has its time.
  for (int i = 0; i < 12; ++i) {
    header.send(i == 0 ? "GET / HTTP/1.1\r\n" : "X");
    std::this_thread::sleep_for(50ms);
  }
  EXPECT_EQ(header.answer().status, 408);
  EXPECT_TRUE(header.is_closed_within(3s));
  EXPECT_EQ(body.answer().status, 408);
}

// A body that is taken whole has its time, however its bytes are spread; nobody's token is asked for at
// /session.
TEST(server_limits, a_body_that_drips_is_dropped) {
  auto chosen = small_options();
  chosen.limits.body_time = 300ms;
  served one(chosen);
  auto login = one.client();
  login.send(one.bare_text("POST /session", changing + "Content-Length: 100\r\n"));
  bool is_closed = false;
  for (int i = 0; i < 30 && !is_closed; ++i) {
    login.send(" ");
    is_closed = login.is_closed_within(50ms);
  }
  EXPECT_TRUE(is_closed);
  EXPECT_EQ(login.answer().status, 408);
}

// Returns how much of endless bytes a server takes behind the header of a chunked body.
std::size_t bytes_taken(const served& one, const std::string& begin, const std::string& unit) {
  constexpr std::size_t enough = 32 * 1024 * 1024;
  auto client = one.client();
  client.send(one.bare_text("POST /session", changing + "Transfer-Encoding: chunked\r\n", begin));
  std::size_t taken = 0;
  while (taken < enough && client.send(unit)) taken += unit.size();
  return taken;
}

TEST(server_limits, what_surrounds_the_chunks_of_a_body_ends_some_time) {
  served one;
  constexpr std::size_t much = 16 * 1024 * 1024;  // sockets alone hold some
  const std::string long_text(64 * 1024, '1');
  EXPECT_LT(bytes_taken(one, "1;name=", long_text), much) << "an extension";
  EXPECT_LT(bytes_taken(one, "", long_text), much) << "the size of a chunk";
  EXPECT_LT(bytes_taken(one, "0\r\n", "X: " + std::string(1000, 'y') + "\r\n"), much)
      << "fields behind the body";
  EXPECT_EQ(one.get("/version").status, 200);
  auto client = one.client();
  client.send(one.bare_text("POST /session", changing + "Transfer-Encoding: chunked\r\n",
                            "1;name=" + std::string(200 * 1024, 'x')));
  EXPECT_EQ(client.answer().status, 400);
}

TEST(server_limits, methods_that_do_not_exist_are_counted_together) {
  served one;
  for (const std::string method : {"BREW", "WHEN", "X1"})
    EXPECT_EQ(one.answer_to(one.request_text(method + " /version")).status, 501);
  const auto counts = one.get("/metrics").body;
  EXPECT_THAT(counts, HasSubstr("method=\"other\",status=\"501\"} 3\n"));
  EXPECT_THAT(counts, testing::Not(HasSubstr("BREW")));
}

TEST(server_limits, an_idle_connection_is_closed) {
  auto chosen = small_options();
  chosen.limits.idle_time = 200ms;
  served one(chosen);
  auto silent = one.client();
  auto idle = one.client();
  idle.send(one.request_text("GET /version"));
  EXPECT_EQ(idle.answer().status, 200);
  EXPECT_TRUE(idle.is_closed_within(2s));
  EXPECT_TRUE(silent.is_closed_within(2s));
  EXPECT_EQ(idle.received(), "") << "without an answer to nothing";
}

TEST(server_limits, a_client_that_does_not_read_is_dropped_and_others_go_on) {
  auto chosen = small_options();
  chosen.limits.write_time = 300ms;
  served one(chosen);
  auto greedy = one.client();
  for (int i = 0; i < 100; ++i) greedy.send(one.request_text("GET /api/large"));
  const auto begun = std::chrono::steady_clock::now();
  EXPECT_EQ(one.get("/version").status, 200);
  EXPECT_LT(std::chrono::steady_clock::now() - begun, 1s);
  std::this_thread::sleep_for(1s);
  std::string gauges = one.get("/metrics").body;
  EXPECT_THAT(gauges, HasSubstr("ridge_http_connections 1\n")) << "the one that asks";
}

TEST(server_limits, slow_handlers_do_not_stall_what_is_quick) {
  served one;
  std::vector<raw_client> waiting;
  for (int i = 0; i < 8; ++i) {
    waiting.push_back(one.client());
    waiting.back().send(one.request_text("GET /api/slow"));
  }
  const auto begun = std::chrono::steady_clock::now();
  EXPECT_EQ(one.get("/healthz").status, 200);
  EXPECT_EQ(one.get("/").status, 200);
  EXPECT_LT(std::chrono::steady_clock::now() - begun, 200ms);
  for (auto& client : waiting) EXPECT_EQ(client.answer().body, "{\"slow\":true}");
}

TEST(server_limits, connections_beyond_the_limit_are_told_so_and_idle_ones_give_way) {
  auto chosen = small_options();
  chosen.limits.connections = 3;
  served one(chosen);
  std::vector<raw_client> busy;
  for (int i = 0; i < 3; ++i) {
    busy.push_back(one.client());
    busy.back().send("GET /version HTTP/1.1\r\n");
  }
  std::this_thread::sleep_for(100ms);
  const auto refused = one.get("/version");
  EXPECT_EQ(refused.status, 503);
  EXPECT_TRUE(refused.field("retry-after"));
  busy.pop_back();
  std::this_thread::sleep_for(100ms);
  auto idle = one.client();
  idle.send(one.request_text("GET /version"));
  EXPECT_EQ(idle.answer().status, 200);
  EXPECT_EQ(one.get("/version").status, 200) << "the idle one gave way";
  EXPECT_TRUE(idle.is_closed_within(1s));
}

TEST(server_limits, streams_have_a_limit_of_their_own) {
  auto chosen = small_options();
  chosen.limits.streams = 2;
  chosen.limits.connections = 2;
  served one(chosen);
  std::vector<raw_client> streams;
  for (int i = 0; i < 2; ++i) {
    streams.push_back(one.client());
    streams.back().send(one.request_text("GET /api/events"));
    EXPECT_NE(streams.back().read_until("event: hello"), std::string::npos);
  }
  EXPECT_EQ(one.get("/api/events").status, 503);
  EXPECT_EQ(one.get("/version").status, 200) << "streams take no request's place";
}

// Two readers that disagree on where a request ends can be made to see different requests.
TEST(server_limits, no_request_hides_in_another) {
  served one;
  const std::string token = "Authorization: Bearer " + std::string(admin_token) + "\r\n";
  const auto host = "Host: " + one.host() + "\r\n";
  const auto post = "POST /api/things HTTP/1.1\r\n" + host + token + changing;
  const std::string hidden = "GET /version HTTP/1.1\r\n" + host + token + "\r\n";
  const std::vector<std::pair<std::string, std::string>> attacks{
      {"both lengths", post + "Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + hidden},
      {"two lengths", post + "Content-Length: 0\r\nContent-Length: 5\r\n\r\nabcde"},
      {"equal lengths", post + "Content-Length: 2\r\nContent-Length: 2\r\n\r\n{}"},
      {"list of lengths", post + "Content-Length: 2, 2\r\n\r\n{}"},
      {"signed length", post + "Content-Length: +2\r\n\r\n{}"},
      {"huge length", post + "Content-Length: 18446744073709551617\r\n\r\n{}"},
      {"hexadecimal length", post + "Content-Length: 0x2\r\n\r\n{}"},
      {"two encodings", post + "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n0\r\n\r\n"},
      {"hidden encoding", post + "Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n"},
      {"encoding in a list", post + "Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n"},
      {"encoding in 1.0", "POST /api/things HTTP/1.0\r\n" + host + token + changing +
                              "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n"},
      {"bare line feeds", "GET /version HTTP/1.1\nHost: " + one.host() + "\n" + token + "\n"},
      {"one bare line feed", "GET /version HTTP/1.1\r\n" + host + "X: 1\n" + token + "\r\n"},
      {"bare carriage return", "GET /version HTTP/1.1\r\n" + host + "X: 1\rY: 2\r\n" + token + "\r\n"},
      {"folded line", "GET /version HTTP/1.1\r\n" + host + "X: 1\r\n  2\r\n" + token + "\r\n"},
      {"folded by a tab",
       "GET /version HTTP/1.1\r\n" + host + "X: 1\r\n\tTransfer-Encoding: chunked\r\n" + token + "\r\n"},
      {"blank before the colon",
       "GET /version HTTP/1.1\r\n" + host + "Content-Length : 5\r\n" + token + "\r\n"},
      {"nameless field", "GET /version HTTP/1.1\r\n" + host + ": 5\r\n" + token + "\r\n"},
      {"no colon", "GET /version HTTP/1.1\r\n" + host + "Content-Length\r\n" + token + "\r\n"},
      {"zero byte", std::string("GET /version HTTP/1.1\r\nX: a\0b\r\n", 31) + host + token + "\r\n"},
      {"blank first", " GET /version HTTP/1.1\r\n" + host + token + "\r\n"},
      {"two blanks", "GET  /version HTTP/1.1\r\n" + host + token + "\r\n"},
      {"tab in the target", "GET\t/version HTTP/1.1\r\n" + host + token + "\r\n"},
      {"HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"},
      {"HTTP/0.9", "GET /version\r\n" + host + "\r\n"},
      {"not HTTP", "\x16\x03\x01\x02\x01\x01\r\n\r\n"},
      {"empty line first", "\r\nGET /version HTTP/1.1\r\n" + host + token + "\r\n"},
      {"body of GET", "GET /version HTTP/1.1\r\n" + host + token + "Content-Length: 5\r\n\r\nhello"},
      {"bad chunk", post + "Transfer-Encoding: chunked\r\n\r\nzz\r\n" + hidden},
      {"chunk without its end", post + "Transfer-Encoding: chunked\r\n\r\n2\r\n{}XX0\r\n\r\n" + hidden},
      {"chunk with a bare line feed",
       post + "Transfer-Encoding: chunked\r\n\r\n2\n{}\r\n0\r\n\r\n" + hidden}};
  for (const auto& [what, text] : attacks) {
    auto client = one.client();
    client.send(text);
    const auto answer = client.answer();
    EXPECT_THAT(answer.status, testing::AnyOf(400, 501, 505)) << what;
    EXPECT_EQ(answer.field("content-type").value_or(""), "application/problem+json") << what;
    EXPECT_TRUE(client.is_closed_within(3s)) << what << ": nothing behind it is read";
    EXPECT_EQ(client.received(), "") << what << ": no second answer";
  }
  EXPECT_EQ(one.get("/version").status, 200);
}

TEST(server_limits, a_field_that_decides_may_be_given_once) {
  served one;
  for (const std::string twice :
       {"Cookie: a=b\r\nCookie: c=d\r\n", "Origin: a\r\nOrigin: b\r\n", "Authorization: Bearer x\r\n",
        "Idempotency-Key: a\r\nIdempotency-Key: b\r\n", "Last-Event-ID: 1\r\nLast-Event-ID: 2\r\n",
        "Sec-Fetch-Site: none\r\nSec-Fetch-Site: cross-site\r\n"})
    EXPECT_EQ(one.get("/version", twice).status, 400) << twice;
}

TEST(server_limits, any_bytes_are_answered_or_dropped) {
  served one;
  std::uint64_t state = 20;
  const std::string alphabet("GET /:\r\n\0\xff %HTTP1.5Host\t", 24);
  for (int i = 0; i < 200; ++i) {
    std::string text = i % 2 == 0 ? "GET /version HTTP/1.1\r\n" : "";
    for (int k = 0; k < 60; ++k) {
      state = state * 6364136223846793005U + 1442695040888963407U;
      text += alphabet[(state >> 33U) % alphabet.size()];
    }
    auto client = one.client();
    client.send(text + "\r\n\r\n");
    const auto status = client.answer().status;
    EXPECT_TRUE(status == 400 || status == 421 || status == 501 || status == 505) << status << " " << i;
  }
  EXPECT_EQ(one.get("/version").status, 200);
}

}  // namespace
}  // namespace ridge::server
