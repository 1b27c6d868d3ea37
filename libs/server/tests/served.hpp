// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <ridge/server/server.hpp>

#include "raw_client.hpp"

namespace ridge::server {

inline constexpr const char* admin_token = "admin-token-0123456789abcdef";
inline constexpr const char* read_token = "read-token-0123456789abcdef";

// Header lines of a request that changes something.
inline const std::string json_type = "Content-Type: application/json\r\n";
inline const std::string changing = json_type + "X-Ridge-Request: 1\r\n";

// Returns these header lines with the length of a body.
inline std::string with_length(const std::string& more, const std::string& body) {
  return more + "Content-Length: " + std::to_string(body.size()) + "\r\n";
}

// A sink that counts what it is given.
class counting_sink final : public body_sink {
 public:
  void write(std::string_view part) override { count_ += part.size(); }
  response finish() override { return json_response("{\"bytes\":" + std::to_string(count_) + "}"); }

 private:
  std::size_t count_ = 0;
};

// A small service: echoes, counts, waits, fails, and streams events.
inline service small_service() {
  service offered{.title = "test", .version = "1"};
  auto& routes = offered.routes;
  routes.push_back({.pattern = "/api/items/{id}", .answer = [](const request& asked) {
                      return json_response("{\"id\":\"" + path_value(asked, "id") + "\"}");
                    }});
  routes.push_back({.pattern = "/api/list",
                    .answer =
                        [](const request& asked) {
                          return json_response("{\"limit\":\"" + query_value(asked, "limit").value_or("") +
                                               "\"}");
                        },
                    .parameters = {{.name = "limit", .type = value_type::integer},
                                   {.name = "level", .type = value_type::number},
                                   {.name = "kind", .choices = {"fast", "slow"}}}});
  routes.push_back({.pattern = "/api/large", .answer = [](const request&) {
                      return json_response("\"" + std::string(200'000, 'x') + "\"");
                    }});
  routes.push_back({.pattern = "/api/slow", .answer = [](const request&) {
                      std::this_thread::sleep_for(std::chrono::milliseconds(300));
                      return json_response("{\"slow\":true}");
                    }});
  routes.push_back({.pattern = "/api/failing", .answer = [](const request&) -> response {
                      throw std::runtime_error("the secret of the handler");
                    }});
  for (const auto method : {http_method::post, http_method::put, http_method::patch, http_method::erase})
    routes.push_back({.method = method,
                      .pattern = "/api/things",
                      .needs = scope::write,
                      .answer = [](const request& asked) {
                        return json_response("{\"bytes\":" + std::to_string(asked.body.size()) + "}");
                      }});
  routes.push_back({.method = http_method::post,
                    .pattern = "/api/bulk",
                    .needs = scope::write,
                    .receive = [](const request&) { return std::make_unique<counting_sink>(); },
                    .body_types = {"application/x-ndjson"}});
  routes.push_back({.pattern = "/api/events", .live = true});
  offered.assets = {{"/index.html", "", "<!doctype html><title>test</title>" + std::string(2000, ' ')},
                    {"/assets/app-4f2a9c1b.js", "", "export const x = 1;" + std::string(5000, ';')}};
  offered.gauges = [] { return std::vector<gauge>{{"ridge_store_bytes", "Size of the store", 4096}}; };
  return offered;
}

inline options small_options() {
  options chosen;
  chosen.tokens = {{admin_token, scope::admin}, {read_token, scope::read}};
  return chosen;
}

// A server for one test, and the requests that most tests send.
class served {
 public:
  explicit served(const options& chosen = small_options(), service offered = small_service()) {
    auto made = server::start(chosen, std::move(offered));
    EXPECT_TRUE(made.ok()) << (made.ok() ? "" : made.why().text());
    if (made.ok()) server_ = std::move(made).value();
  }

  [[nodiscard]] server& its() { return *server_; }
  [[nodiscard]] std::uint16_t port() const { return server_->port(); }
  [[nodiscard]] std::string host() const { return "127.0.0.1:" + std::to_string(port()); }
  [[nodiscard]] raw_client client() const { return raw_client(port()); }

  // Returns a request with Host and the admin's token, and these further lines ("Name: value\r\n").
  [[nodiscard]] std::string request_text(const std::string& line, const std::string& more = "",
                                         const std::string& body = "") const {
    return line + " HTTP/1.1\r\nHost: " + host() + "\r\nAuthorization: Bearer " + admin_token + "\r\n" +
           more + "\r\n" + body;
  }
  // Returns a request with Host alone.
  [[nodiscard]] std::string bare_text(const std::string& line, const std::string& more = "",
                                      const std::string& body = "") const {
    return line + " HTTP/1.1\r\nHost: " + host() + "\r\n" + more + "\r\n" + body;
  }
  // Sends exactly this and returns the first answer.
  [[nodiscard]] raw_answer answer_to(const std::string& text, bool is_head = false) const {
    auto one = client();
    one.send(text);
    return one.answer(is_head);
  }
  [[nodiscard]] raw_answer get(const std::string& target, const std::string& more = "") const {
    return answer_to(request_text("GET " + target, more));
  }

 private:
  std::unique_ptr<server> server_{};
};

}  // namespace ridge::server
