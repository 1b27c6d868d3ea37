// SPDX-License-Identifier: Apache-2.0
// Answers: pages, entity tags, compression, connections that go on, parameters, figures, the document, the
// end.
#include <string>

#include <gmock/gmock.h>
#include <zlib.h>
#include <nlohmann/json.hpp>

#include <ridge/server/page.hpp>

#include "routing/asset_shelf.hpp"
#include "served.hpp"

namespace ridge::server {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

std::string unzipped(const std::string& text) {
  z_stream stream{};
  EXPECT_EQ(inflateInit2(&stream, 15 + 16), Z_OK);
  std::string made(1'000'000, '\0');
  auto copy = text;
  stream.next_in = reinterpret_cast<Bytef*>(copy.data());
  stream.avail_in = static_cast<uInt>(copy.size());
  stream.next_out = reinterpret_cast<Bytef*>(made.data());
  stream.avail_out = static_cast<uInt>(made.size());
  EXPECT_EQ(inflate(&stream, Z_FINISH), Z_STREAM_END);
  made.resize(made.size() - stream.avail_out);
  inflateEnd(&stream);
  return made;
}

TEST(server_answers, pages_come_from_memory_with_tags_and_compressed) {
  served one;
  const auto page = one.answer_to(one.bare_text("GET /"));
  EXPECT_EQ(page.field("content-type").value_or(""), "text/html; charset=utf-8");
  EXPECT_EQ(page.field("cache-control").value_or(""), "no-cache");
  EXPECT_EQ(one.answer_to(one.bare_text("GET /index.html")).body, page.body);
  const auto tag = page.field("etag").value_or("");
  EXPECT_EQ(one.answer_to(one.bare_text("GET /", "If-None-Match: " + tag + "\r\n")).status, 304);
  const auto zipped = one.answer_to(one.bare_text("GET /", "Accept-Encoding: br, gzip\r\n"));
  EXPECT_EQ(zipped.field("content-encoding").value_or(""), "gzip");
  EXPECT_EQ(unzipped(zipped.body), page.body);
  EXPECT_NE(zipped.field("etag").value_or(""), tag) << "other bytes, another tag";
  EXPECT_FALSE(
      one.answer_to(one.bare_text("GET /", "Accept-Encoding: gzip;q=0, br\r\n")).field("content-encoding"));
  const auto script = one.answer_to(one.bare_text("GET /assets/app-4f2a9c1b.js"));
  EXPECT_EQ(script.field("cache-control").value_or(""), "public, max-age=31536000, immutable");
  EXPECT_EQ(script.field("content-type").value_or(""), "text/javascript; charset=utf-8");
  EXPECT_EQ(one.answer_to(one.bare_text("GET /assets/other.js")).status, 404);
  EXPECT_EQ(one.answer_to(one.bare_text("GET /etc/passwd")).status, 404);
}

TEST(server_answers, names_with_a_hash_are_told_from_others) {
  EXPECT_TRUE(has_hashed_name("/assets/app-4f2a9c1b.js"));
  EXPECT_TRUE(has_hashed_name("/assets/index-B1cD2eF3.css"));
  EXPECT_TRUE(has_hashed_name("/x/app.0123456789abcdef.js"));
  EXPECT_FALSE(has_hashed_name("/index.html"));
  EXPECT_FALSE(has_hashed_name("/assets/high-contrast.css"));
  EXPECT_FALSE(has_hashed_name("/assets/app-v2.js"));
}

TEST(server_answers, documents_have_tags_and_are_compressed_when_that_pays) {
  served one;
  const auto small = one.get("/api/items/1", "Accept-Encoding: gzip\r\n");
  EXPECT_FALSE(small.field("content-encoding"));
  const auto tag = small.field("etag").value_or("");
  const auto again = one.get("/api/items/1", "If-None-Match: \"other\", " + tag + "\r\n");
  EXPECT_EQ(again.status, 304);
  EXPECT_EQ(again.body, "");
  EXPECT_EQ(again.field("etag").value_or(""), tag);
  EXPECT_EQ(one.get("/api/items/2", "If-None-Match: " + tag + "\r\n").status, 200);
  EXPECT_EQ(one.get("/api/items/1", "If-None-Match: *\r\n").status, 304);
  const auto plain = one.get("/api/large");
  const auto zipped = one.get("/api/large", "Accept-Encoding: gzip\r\n");
  EXPECT_EQ(zipped.field("content-encoding").value_or(""), "gzip");
  EXPECT_LT(zipped.body.size(), plain.body.size() / 10);
  EXPECT_EQ(unzipped(zipped.body), plain.body);
}

TEST(server_answers, head_is_get_without_the_body) {
  served one;
  for (const std::string path : {"/", "/api/large", "/healthz"}) {
    auto client = one.client();
    client.send(one.request_text("HEAD " + path) + one.request_text("GET /healthz"));
    const auto head = client.answer(true);
    EXPECT_EQ(head.status, 200);
    EXPECT_EQ(head.field("content-length"), one.get(path).field("content-length")) << path;
    EXPECT_EQ(client.answer().body, "{\"status\":\"ok\"}") << "the next answer follows at once";
  }
}

TEST(server_answers, connections_go_on_and_requests_may_be_sent_ahead) {
  served one;
  auto client = one.client();
  std::string all;
  for (int i = 0; i < 50; ++i) all += one.request_text("GET /api/items/" + std::to_string(i));
  client.send(all);
  for (int i = 0; i < 50; ++i) EXPECT_EQ(client.answer().body, "{\"id\":\"" + std::to_string(i) + "\"}");
  client.send(one.request_text("GET /api/items/x", "Connection: close\r\n"));
  EXPECT_EQ(client.answer().field("connection").value_or(""), "close");
  EXPECT_TRUE(client.is_closed_within(3s));
  auto old = one.client();
  old.send("GET /healthz HTTP/1.0\r\nHost: " + one.host() + "\r\n\r\n");
  EXPECT_EQ(old.answer().status, 200);
  EXPECT_TRUE(old.is_closed_within(3s));
}

TEST(server_answers, a_request_may_arrive_byte_by_byte) {
  served one;
  auto client = one.client();
  for (const char letter : one.request_text("GET /api/items/1")) client.send(std::string(1, letter));
  EXPECT_EQ(client.answer().status, 200);
}

TEST(server_answers, a_client_may_ask_before_it_sends_a_body) {
  served one;
  auto client = one.client();
  client.send(one.request_text("POST /api/things",
                               "Content-Type: application/json\r\nX-Ridge-Request: 1\r\nContent-Length: "
                               "2\r\nExpect: 100-continue\r\n"));
  EXPECT_NE(client.read_until("HTTP/1.1 100 Continue\r\n\r\n"), std::string::npos);
  client.forget();
  client.send("{}");
  EXPECT_EQ(client.answer().body, "{\"bytes\":2}");
  EXPECT_EQ(one.get("/version", "Expect: the-impossible\r\n").status, 200) << "there is no body to wait with";
}

TEST(server_answers, errors_are_problems_without_inner_text) {
  served one;
  const auto failed = one.get("/api/failing");
  EXPECT_EQ(failed.status, 500);
  EXPECT_EQ(failed.body.find("secret"), std::string::npos);
  for (const auto& answer : {failed, one.get("/nothing"), one.get("/api/list?limit=x")}) {
    EXPECT_EQ(answer.field("content-type").value_or(""), "application/problem+json");
    const auto document = nlohmann::json::parse(answer.body);
    EXPECT_EQ(document.at("status"), answer.status);
    EXPECT_EQ(document.at("type"), "about:blank");
    EXPECT_FALSE(document.at("detail").get<std::string>().empty());
  }
}

TEST(server_answers, parameters_are_what_the_route_declares) {
  served one;
  EXPECT_EQ(one.get("/api/list?limit=12&level=0.5&kind=fast").body, "{\"limit\":\"12\"}");
  for (const std::string query :
       {"limit=x", "limit=1.5", "limit=", "limit=1&limit=2", "level=nan", "level=inf", "level=1e999",
        "kind=medium", "lmit=1", "=1", "limit=%", "limit=1%00", "limit=1;drop%20table%20run"}) {
    EXPECT_EQ(one.get("/api/list?" + query).status, 400) << query;
  }
  EXPECT_THAT(one.get("/api/list?lmit=1").body, HasSubstr("did you mean limit?"));
}

TEST(server_answers, methods_are_those_of_the_path) {
  served one;
  const auto refused = one.get("/api/things");
  EXPECT_EQ(refused.status, 405);
  EXPECT_EQ(refused.field("allow").value_or(""), "POST, PUT, PATCH, DELETE");
  EXPECT_EQ(one.answer_to(one.request_text("DELETE /api/items/1")).field("allow").value_or(""), "GET, HEAD");
  EXPECT_EQ(one.answer_to(one.request_text("DELETE /")).status, 404);
  EXPECT_EQ(one.answer_to(one.request_text("TRACE /version")).status, 501);
  EXPECT_EQ(one.answer_to(one.request_text("CONNECT evil.example:443")).status, 400);
}

TEST(server_answers, figures_are_counted_by_route) {
  served one;
  for (int i = 0; i < 3; ++i) EXPECT_EQ(one.get("/api/items/" + std::to_string(i)).status, 200);
  EXPECT_EQ(one.get("/api/none/whatever").status, 404);
  const auto metrics = one.get("/metrics");
  EXPECT_EQ(metrics.field("content-type").value_or(""), "text/plain; version=0.0.4; charset=utf-8");
  for (const std::string line :
       {"ridge_http_requests_total{route=\"/api/items/{id}\",method=\"GET\",status=\"200\"} 3\n",
        "ridge_http_requests_total{route=\"unmatched\",method=\"GET\",status=\"404\"} 1\n",
        "ridge_http_request_seconds_count{route=\"/api/items/{id}\"} 3\n",
        "ridge_http_request_seconds_bucket{route=\"/api/items/{id}\",le=\"+Inf\"} 3\n",
        "# TYPE ridge_http_request_seconds histogram\n", "ridge_store_bytes 4096\n",
        "ridge_event_streams 0\n", "ridge_http_connections 1\n"})
    EXPECT_THAT(metrics.body, HasSubstr(line));
}

TEST(server_answers, the_document_describes_every_route) {
  served one;
  const auto document = nlohmann::json::parse(one.get("/openapi.json").body);
  EXPECT_EQ(document.at("openapi"), "3.1.0");
  for (const std::string path : {"/healthz", "/version", "/openapi.json", "/metrics", "/session",
                                 "/api/items/{id}", "/api/list", "/api/things", "/api/bulk", "/api/events"})
    EXPECT_TRUE(document.at("paths").contains(path)) << path;
  const auto& list = document.at("paths").at("/api/list").at("get").at("parameters");
  EXPECT_EQ(list.at(2).at("schema").at("enum"), (std::vector<std::string>{"fast", "slow"}));
  const auto& item = document.at("paths").at("/api/items/{id}").at("get").at("parameters").at(0);
  EXPECT_EQ(item.at("in"), "path");
  EXPECT_EQ(item.at("required"), true);
}

TEST(server_answers, the_requests_that_run_are_finished_at_the_end) {
  served one;
  auto client = one.client();
  client.send(one.request_text("GET /api/slow"));
  std::this_thread::sleep_for(100ms);
  const auto begun = std::chrono::steady_clock::now();
  one.its().stop();
  EXPECT_LT(std::chrono::steady_clock::now() - begun, 2s);
  const auto answer = client.answer();
  EXPECT_EQ(answer.body, "{\"slow\":true}");
  EXPECT_EQ(answer.field("connection").value_or(""), "close");
  EXPECT_TRUE(client.is_closed_within(1s));
  EXPECT_FALSE(one.client().is_connected());
}

TEST(server_answers, stopping_does_not_wait_for_clients_that_do_nothing) {
  auto chosen = small_options();
  chosen.limits.stop_time = 300ms;
  served one(chosen);
  auto idle = one.client();
  auto half = one.client();
  half.send("GET / HTTP/1.1\r\n");
  std::this_thread::sleep_for(100ms);
  const auto begun = std::chrono::steady_clock::now();
  one.its().stop();
  EXPECT_LT(std::chrono::steady_clock::now() - begun, 1s);
  EXPECT_TRUE(idle.is_closed_within(1s));
}

TEST(server_answers, wrong_routes_and_taken_ports_are_refused_at_the_start) {
  for (const std::string pattern : {"api", "/a//b", "/a/"}) {
    service offered;
    offered.routes.push_back({.pattern = pattern, .answer = [](const request&) { return response{}; }});
    EXPECT_FALSE(server::start(small_options(), std::move(offered)).ok()) << pattern;
  }
  service twice;
  for (int i = 0; i < 2; ++i)
    twice.routes.push_back({.pattern = "/a", .answer = [](const request&) { return response{}; }});
  EXPECT_FALSE(server::start(small_options(), std::move(twice)).ok());
  service nothing;
  nothing.routes.push_back({.pattern = "/a"});
  EXPECT_FALSE(server::start(small_options(), std::move(nothing)).ok());
  served one;
  auto chosen = small_options();
  chosen.port = one.port();
  const auto refused = server::start(chosen, small_service());
  ASSERT_FALSE(refused.ok());
  EXPECT_THAT(refused.why().text(), HasSubstr("another program listens there"));
}

TEST(server_pages, go_from_one_to_the_next) {
  request asked;
  asked.query = {{"limit", "25"}};
  EXPECT_EQ(page_of(asked)->limit, 25U);
  EXPECT_FALSE(page_of(asked)->after);
  const std::string key = "2026-11-27T10:00:00Z/01J \xC3\xA4\n";
  const auto cursor = next_cursor(key);
  EXPECT_EQ(cursor.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"),
            std::string::npos);
  asked.query = {{"cursor", cursor}};
  EXPECT_EQ(page_of(asked)->after, key);
  EXPECT_EQ(page_of(asked)->limit, 100U);
  for (const std::string limit : {"0", "1001", "-1", "x", "", "1.5"}) {
    asked.query = {{"limit", limit}};
    EXPECT_FALSE(page_of(asked).ok()) << limit;
  }
  for (const std::string wrong : {"", "a", "####", "bm90aGluZw", "' or 1=1"}) {
    asked.query = {{"cursor", wrong}};
    EXPECT_FALSE(page_of(asked).ok()) << wrong;
  }
}

}  // namespace
}  // namespace ridge::server
