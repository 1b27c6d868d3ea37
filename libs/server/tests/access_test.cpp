// SPDX-License-Identifier: Apache-2.0
// Who may ask: each rule of docs/design/server.md, over sockets, as its attacker would try it.
#include <string>

#include <sys/stat.h>

#include <gmock/gmock.h>

#include <ridge/base/temporary_folder.hpp>

#include "served.hpp"

namespace ridge::server {
namespace {

using testing::HasSubstr;

TEST(server_access, listens_on_both_loopbacks_and_nothing_else) {
  served one;
  EXPECT_EQ(one.get("/version").status, 200);
  const int v6 = socket(AF_INET6, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in6 address{};
  address.sin6_family = AF_INET6;
  address.sin6_port = htons(one.port());
  address.sin6_addr = in6addr_loopback;
  if (v6 >= 0) {
    const int connected = connect(v6, reinterpret_cast<const sockaddr*>(&address), sizeof address);
    EXPECT_TRUE(connected == 0 || errno == EADDRNOTAVAIL || errno == ENETUNREACH) << errno;
    close(v6);
  }
}

TEST(server_access, refuses_to_start_where_others_could_connect) {
  auto chosen = small_options();
  chosen.address = "0.0.0.0";
  const auto refused = server::start(chosen, small_service());
  ASSERT_FALSE(refused.ok());
  EXPECT_THAT(refused.why().text(), HasSubstr("--behind-proxy"));
  chosen.behind_proxy = true;
  EXPECT_TRUE(server::start(chosen, small_service()).ok());
  chosen.open_access = true;
  EXPECT_FALSE(server::start(chosen, small_service()).ok()) << "open to all that the proxy lets through";
}

TEST(server_access, refuses_to_start_without_tokens_or_with_short_ones) {
  auto chosen = small_options();
  chosen.tokens.clear();
  EXPECT_FALSE(server::start(chosen, small_service()).ok());
  chosen.tokens = {{"secret", scope::admin}};
  EXPECT_FALSE(server::start(chosen, small_service()).ok());
}

TEST(server_access, a_unix_socket_is_for_its_user_alone) {
  const scratch_folder folder("server");
  auto chosen = small_options();
  chosen.socket_path = folder.path() / "ridge.sock";
  {
    served one(chosen);
    struct stat status {};
    ASSERT_EQ(stat(chosen.socket_path.c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 0777U, 0600U);
    raw_client client(chosen.socket_path);
    client.send("GET /version HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " +
                std::string(admin_token) + "\r\n\r\n");
    EXPECT_EQ(client.answer().status, 200);
    EXPECT_FALSE(server::start(chosen, small_service()).ok()) << "another server listens there";
  }
  EXPECT_NE(access(chosen.socket_path.c_str(), F_OK), 0) << "removed at the end";
}

TEST(server_access, takes_over_a_socket_that_a_killed_server_left) {
  const scratch_folder folder("server");
  auto chosen = small_options();
  chosen.socket_path = folder.path() / "ridge.sock";
  const int left = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::memcpy(address.sun_path, chosen.socket_path.c_str(), chosen.socket_path.size() + 1);
  ASSERT_EQ(bind(left, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  close(left);
  EXPECT_TRUE(server::start(chosen, small_service()).ok());
}

// DNS rebinding: a page of evil.example whose name resolves to 127.0.0.1.
TEST(server_access, a_foreign_host_gets_nothing_by_any_method_or_form) {
  served one;
  const auto port = std::to_string(one.port());
  const std::string token = "Authorization: Bearer " + std::string(admin_token) + "\r\n\r\n";
  for (const std::string method : {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "BREW"}) {
    for (const std::string path :
         {"/", "/healthz", "/api/items/1", "/api/events", "/session", "/nothing", "/../x"}) {
      const auto text = method + " " + path + " HTTP/1.1\r\nHost: evil.example:" + port + "\r\n" + token;
      const auto answer = one.answer_to(text, method == "HEAD");
      EXPECT_EQ(answer.status, 421) << method << " " << path;
    }
  }
  for (const auto& host : std::vector<std::string>{
           "127.0.0.1", "127.0.0.1:1", "localhost.evil.example:" + port, "2130706433:" + port,
           "127.0.0.1:" + port + "@evil.example", "[::ffff:127.0.0.1]:" + port, ""})
    EXPECT_EQ(one.answer_to("GET /version HTTP/1.1\r\nHost: " + host + "\r\n" + token).status, 421) << host;
  for (const auto& host : std::vector<std::string>{"LOCALHOST:" + port, "[::1]:" + port, "127.0.0.1:" + port})
    EXPECT_EQ(one.answer_to("GET /version HTTP/1.1\r\nHost: " + host + "\r\n" + token).status, 200) << host;
}

TEST(server_access, a_host_that_is_missing_given_twice_or_unlike_the_target_is_refused) {
  served one;
  const std::string token = "Authorization: Bearer " + std::string(admin_token) + "\r\n\r\n";
  const auto host = "Host: " + one.host() + "\r\n";
  EXPECT_EQ(one.answer_to("GET /version HTTP/1.1\r\n" + token).status, 421);
  EXPECT_EQ(one.answer_to("GET /version HTTP/1.0\r\n" + token).status, 421);
  EXPECT_EQ(one.answer_to("GET /version HTTP/1.1\r\n" + host + host + token).status, 421);
  EXPECT_EQ(one.answer_to("GET /version HTTP/1.1\r\n" + host + "Host: evil.example\r\n" + token).status, 421);
  EXPECT_EQ(one.answer_to("GET http://evil.example/version HTTP/1.1\r\n" + host + token).status, 421);
  EXPECT_EQ(one.answer_to("GET http://localhost:" + std::to_string(one.port()) + "/version HTTP/1.1\r\n" +
                          host + token)
                .status,
            421)
      << "an allowed host, but another than Host names";
  EXPECT_EQ(one.answer_to("GET http://" + one.host() + "/version HTTP/1.1\r\n" + host + token).status, 200);
}

TEST(server_access, further_hosts_are_allowed_as_they_are_written) {
  auto chosen = small_options();
  chosen.allowed_hosts = {"Lab.example.org"};
  served one(chosen);
  const std::string token = "Authorization: Bearer " + std::string(admin_token) + "\r\n\r\n";
  EXPECT_EQ(one.answer_to("GET /version HTTP/1.1\r\nHost: lab.example.org\r\n" + token).status, 200);
  EXPECT_EQ(one.answer_to("GET /version HTTP/1.1\r\nHost: lab.example.org:1\r\n" + token).status, 421);
}

TEST(server_access, one_path_has_one_spelling) {
  served one;
  for (const std::string path :
       {"/x/../api/items/1", "/./api/items/1", "//api/items/1", "/api//items/1", "/api/items/1/",
        "/api/items/%2e%2e", "/api%2fitems/1", "/api/items/a%2Fb", "/api/items/..%2f", "/api\\items\\1",
        "/api/items/%5c", "/api/items/%00", "/api/items/%0d%0a", "/api/items/%", "/api/items/%4",
        "/api/items/%gg", "/api/items/%ff", "/api/items/1#x"}) {
    const auto answer = one.get(path);
    EXPECT_EQ(answer.status, 400) << path;
    EXPECT_THAT(answer.field("content-type").value_or(""), "application/problem+json") << path;
  }
  EXPECT_EQ(one.get("/%61pi/items/%C3%A4").body, "{\"id\":\"\xC3\xA4\"}") << "decoded once, then routed";
  EXPECT_EQ(one.get("/api/items/%2525").body, "{\"id\":\"%25\"}") << "never decoded twice";
}

TEST(server_access, asks_for_a_token_unless_the_route_is_open) {
  served one;
  for (const std::string path :
       {"/version", "/openapi.json", "/metrics", "/api/items/1", "/api/events", "/session"}) {
    const auto answer = one.answer_to(one.bare_text("GET " + path));
    EXPECT_EQ(answer.status, 401) << path;
    EXPECT_EQ(answer.field("www-authenticate").value_or(""), "Bearer realm=\"ridge\"") << path;
  }
  EXPECT_EQ(one.answer_to(one.bare_text("GET /healthz")).status, 200);
  EXPECT_EQ(one.answer_to(one.bare_text("GET /")).status, 200) << "the page holds no data";
  EXPECT_EQ(
      one.answer_to(one.bare_text("GET /version", "Authorization: Bearer " + drawn_token() + "\r\n")).status,
      401);
  EXPECT_EQ(one.answer_to(one.bare_text("GET /version", "Authorization: Basic YTpi\r\n")).status, 401);
  EXPECT_EQ(one.answer_to(one.bare_text("GET /version?token=" + std::string(admin_token))).status, 401)
      << "a token in an address would stand in logs";
}

TEST(server_access, a_token_grants_its_scope_and_no_more) {
  served one;
  const std::string reader = "Authorization: Bearer " + std::string(read_token) + "\r\n";
  EXPECT_EQ(one.answer_to(one.bare_text("GET /api/items/1", reader)).status, 200);
  const auto refused =
      one.answer_to(one.bare_text("POST /api/things", reader + with_length(changing, "{}"), "{}"));
  EXPECT_EQ(refused.status, 403);
  EXPECT_THAT(refused.body, HasSubstr("scope write"));
  EXPECT_THAT(one.answer_to(one.bare_text("GET /session", reader)).body, HasSubstr("\"read\""));
}

TEST(server_access, a_token_that_has_expired_or_was_taken_away_grants_nothing) {
  auto chosen = small_options();
  chosen.tokens.push_back({"expired-token-0123456789abcdef", scope::admin,
                           std::chrono::system_clock::now() - std::chrono::seconds(1)});
  served one(chosen);
  EXPECT_EQ(
      one.answer_to(one.bare_text("GET /version", "Authorization: Bearer expired-token-0123456789abcdef\r\n"))
          .status,
      401);
  EXPECT_EQ(one.get("/version").status, 200);
  one.its().replace_tokens({{read_token, scope::read}});
  EXPECT_EQ(one.get("/version").status, 401);
}

}  // namespace
}  // namespace ridge::server
