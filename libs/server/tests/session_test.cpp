// SPDX-License-Identifier: Apache-2.0
// Sessions, and what pages of other origins may do with them: nothing.
#include <mutex>
#include <string>
#include <thread>

#include <gmock/gmock.h>

#include "served.hpp"

namespace ridge::server {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

// Logs in and returns the cookie, "ridge_session_PORT=...".
std::string cookie_of(const served& one) {
  const std::string body = "{\"token\":\"" + std::string(admin_token) + "\"}";
  const auto answer = one.answer_to(one.bare_text("POST /session", with_length(changing, body), body));
  EXPECT_EQ(answer.status, 200) << answer.body;
  const auto cookie = answer.field("set-cookie").value_or("");
  EXPECT_THAT(cookie, HasSubstr("; HttpOnly; SameSite=Strict; Path=/; Max-Age="));
  EXPECT_THAT(cookie, StartsWith("ridge_session_" + std::to_string(one.port()) + "="));
  EXPECT_THAT(cookie, Not(HasSubstr(admin_token)));
  return cookie.substr(0, cookie.find(';'));
}

TEST(server_access, a_session_opens_by_token_and_ends) {
  served one;
  const auto cookie = "Cookie: theme=dark; " + cookie_of(one) + "\r\n";
  EXPECT_EQ(one.answer_to(one.bare_text("GET /version", cookie)).status, 200);
  const auto same = "Sec-Fetch-Site: same-origin\r\nX-Ridge-Request: 1\r\n";
  EXPECT_EQ(one.answer_to(one.bare_text("DELETE /session", cookie + same)).status, 204);
  EXPECT_EQ(one.answer_to(one.bare_text("GET /version", cookie)).status, 401);
  for (const auto& body :
       std::vector<std::string>{"", "{", "[]", "{\"token\":1}", "{\"token\":\"" + drawn_token() + "\"}"}) {
    const auto answer = one.answer_to(one.bare_text("POST /session", with_length(changing, body), body));
    EXPECT_EQ(answer.status, body.size() > 20 ? 401 : 400) << body;
    EXPECT_FALSE(answer.field("set-cookie")) << body;
  }
}

TEST(server_access, sessions_end_with_their_token) {
  served one;
  const auto cookie = "Cookie: " + cookie_of(one) + "\r\n";
  one.its().replace_tokens({{read_token, scope::read}});
  EXPECT_EQ(one.answer_to(one.bare_text("GET /version", cookie)).status, 401);
}

TEST(server_access, wrong_tokens_are_slowed_down) {
  auto chosen = small_options();
  chosen.limits.failed_logins = 3;
  chosen.limits.login_window = std::chrono::milliseconds(700);
  served one(chosen);
  const auto cookie = "Cookie: " + cookie_of(one) + "\r\n";
  for (int i = 0; i < 3; ++i)
    EXPECT_EQ(one.answer_to(one.bare_text("GET /version", "Authorization: Bearer wrong\r\n")).status, 401);
  const auto refused = one.get("/version");
  EXPECT_EQ(refused.status, 429) << "even the right one must wait, or guessing would go on";
  EXPECT_EQ(refused.field("retry-after").value_or(""), "1");
  EXPECT_EQ(one.answer_to(one.bare_text("GET /version", cookie)).status, 200) << "sessions go on";
  std::this_thread::sleep_for(std::chrono::milliseconds(750));
  EXPECT_EQ(one.get("/version").status, 200);
}

TEST(server_access, a_page_of_another_origin_changes_nothing) {
  served one;
  const auto cookie = "Cookie: " + cookie_of(one) + "\r\n";
  const std::string body = "{}";
  for (const std::string method : {"POST", "PUT", "PATCH", "DELETE"}) {
    const auto status = [&](const std::string& more) {
      return one.answer_to(one.bare_text(method + " /api/things", cookie + with_length(more, body), body))
          .status;
    };
    const auto ours = "Origin: http://" + one.host() + "\r\n";
    EXPECT_EQ(status(changing + ours), 200) << method;
    EXPECT_EQ(status(changing + "Sec-Fetch-Site: same-origin\r\n"), 200) << method;
    EXPECT_EQ(status(changing), 403) << method << ": a cookie without a sign of the page";
    EXPECT_EQ(status(changing + "Origin: null\r\n"), 403) << method;
    EXPECT_EQ(status(changing + "Origin: http://evil.example\r\n"), 403) << method;
    EXPECT_EQ(status(changing + "Origin: https://" + one.host() + "\r\n"), 403) << method;
    EXPECT_EQ(status(changing + "Origin: http://127.0.0.1:1\r\n"), 403)
        << method << ": another port is another origin";
    EXPECT_EQ(status(changing + "Sec-Fetch-Site: same-site\r\n" + ours), 403) << method;
    EXPECT_EQ(status(changing + "Sec-Fetch-Site: cross-site\r\n"), 403) << method;
    EXPECT_EQ(status(json_type + ours), 403) << method << ": without the header of this program";
    EXPECT_EQ(status("X-Ridge-Request: 1\r\nContent-Type: text/plain\r\n" + ours), 415)
        << method << ": what a form can send";
    EXPECT_EQ(status("X-Ridge-Request: 1\r\n" + ours), 415) << method;
  }
}

TEST(server_access, a_token_may_change_something_without_a_page) {
  served one;
  EXPECT_EQ(one.answer_to(one.request_text("POST /api/things", with_length(changing, "{}"), "{}")).status,
            200);
  EXPECT_EQ(one.answer_to(one.request_text("POST /api/things", with_length(json_type, "{}"), "{}")).status,
            403);
  EXPECT_EQ(one.answer_to(one.request_text("DELETE /api/things", "X-Ridge-Request: 1\r\n")).status, 200);
}

TEST(server_access, a_page_of_another_origin_reads_nothing) {
  served one;
  const auto cookie = "Cookie: " + cookie_of(one) + "\r\n";
  for (const std::string path : {"/api/items/1", "/api/events", "/metrics"}) {
    for (const std::string site : {"Sec-Fetch-Site: cross-site\r\n", "Sec-Fetch-Site: same-site\r\n",
                                   "Origin: http://evil.example\r\n", "Origin: null\r\n"})
      EXPECT_EQ(one.answer_to(one.bare_text("GET " + path, cookie + site)).status, 403) << path << site;
  }
}

TEST(server_access, there_is_no_cors_and_options_is_refused) {
  served one;
  const auto preflight = one.answer_to(
      one.request_text("OPTIONS /api/things",
                       "Origin: http://" + one.host() + "\r\nAccess-Control-Request-Method: DELETE\r\n"));
  EXPECT_EQ(preflight.status, 403);
  EXPECT_EQ(one.answer_to(one.request_text("OPTIONS *")).status, 403);
  for (const std::string path : {"/", "/api/items/1", "/nothing"}) {
    const auto header = lower_case(one.get(path, "Origin: http://" + one.host() + "\r\n").header);
    EXPECT_THAT(header, Not(HasSubstr("access-control"))) << path;
  }
}

TEST(server_access, every_answer_protects_the_browser) {
  served one;
  const std::string policy =
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src "
      "'self'; "
      "font-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; "
      "require-trusted-types-for 'script'";
  for (const std::string path :
       {"/", "/assets/app-4f2a9c1b.js", "/api/items/1", "/nothing", "/../x", "/healthz"}) {
    const auto answer = one.get(path);
    EXPECT_EQ(answer.field("content-security-policy").value_or(""), policy) << path;
    EXPECT_EQ(answer.field("x-content-type-options").value_or(""), "nosniff") << path;
    EXPECT_EQ(answer.field("referrer-policy").value_or(""), "no-referrer") << path;
    EXPECT_EQ(answer.field("cross-origin-opener-policy").value_or(""), "same-origin") << path;
    EXPECT_EQ(answer.field("cross-origin-resource-policy").value_or(""), "same-origin") << path;
    EXPECT_THAT(answer.field("permissions-policy").value_or(""), HasSubstr("camera=()")) << path;
  }
  EXPECT_EQ(one.get("/api/items/1").field("cache-control").value_or(""), "no-store");
}

TEST(server_access, a_local_server_may_be_open_and_still_refuses_other_pages) {
  options chosen;
  chosen.open_access = true;
  served one(chosen);
  EXPECT_EQ(one.answer_to(one.bare_text("GET /api/items/1")).status, 200);
  EXPECT_EQ(one.answer_to(one.bare_text("POST /api/things", with_length(changing, "{}"), "{}")).status, 200);
  EXPECT_EQ(one.answer_to(one.bare_text("POST /api/things", with_length(json_type, "{}"), "{}")).status, 403);
  EXPECT_EQ(one.answer_to(one.bare_text("GET /api/items/1", "Sec-Fetch-Site: cross-site\r\n")).status, 403);
  EXPECT_EQ(one.answer_to("GET /api/items/1 HTTP/1.1\r\nHost: evil.example\r\n\r\n").status, 421);
}

TEST(server_access, what_is_refused_or_changes_something_is_audited_without_secrets) {
  std::mutex mutex;
  std::string lines;
  auto chosen = small_options();
  chosen.audit = [&](std::string_view line) {
    const std::lock_guard guard(mutex);
    lines += std::string(line) + "\n";
  };
  served one(chosen);
  const auto secret = drawn_token();
  EXPECT_EQ(one.answer_to(one.bare_text("GET /version", "Authorization: Bearer " + secret + "\r\n")).status,
            401);
  EXPECT_EQ(one.answer_to(one.request_text("POST /api/things", with_length(changing, "{}"), "{}")).status,
            200);
  const std::lock_guard guard(mutex);
  EXPECT_EQ(lines, "a wrong token from 127.0.0.1\nPOST /api/things by 127.0.0.1\n");
}

TEST(server_access, a_login_has_four_kilobytes_at_most) {
  served one;
  const std::string body(5000, '[');
  EXPECT_EQ(one.answer_to(one.bare_text("POST /session", with_length(changing, body), body)).status, 413);
}

}  // namespace
}  // namespace ridge::server
