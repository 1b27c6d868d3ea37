// SPDX-License-Identifier: Apache-2.0
#include "access/request_guard.hpp"

#include <algorithm>

#include <ridge/base/escape.hpp>
#include <ridge/base/text.hpp>

namespace ridge::server {
namespace {

bool is_unsafe(std::string_view method) { return method != "GET" && method != "HEAD"; }

std::string_view media_type(std::string_view content_type) {
  return trim(content_type.substr(0, content_type.find(';')));
}

response forbidden(std::string message, std::string remedy) {
  return problem(403, {std::move(message), std::move(remedy)});
}

}  // namespace

response unauthorized(std::string message) {
  auto made = problem(401, {std::move(message),
                            "open the address that `ridge serve` printed, or send the header "
                            "Authorization: Bearer TOKEN"});
  made.fields.push_back({"WWW-Authenticate", "Bearer realm=\"ridge\""});
  return made;
}

request_guard::request_guard(const options& chosen, std::uint16_t port, token_book& book)
    : hosts_(port, chosen.allowed_hosts, chosen.behind_proxy),
      book_(book),
      failures_(chosen.limits.failed_logins, chosen.limits.login_window),
      // Cookies are shared by all ports of a host: two servers on one machine need two names.
      cookie_("ridge_session_" + std::to_string(port)),
      secure_cookie_(chosen.behind_proxy),
      open_access_(chosen.open_access),
      open_scope_(chosen.open_scope),
      session_time_(chosen.limits.session_time),
      audit_(chosen.audit) {}

void request_guard::note(std::string_view line) const {
  if (audit_) audit_(terminal_escaped(line, 500));
}

std::optional<response> request_guard::refused(const request_head& head, const request_target& target) const {
  const auto hosts = std::ranges::count(head.fields, "host", &named_text::name);
  const auto host = value_of(head.fields, "host");
  const bool wrong_form = !target.authority.empty() && host && target.authority != lower_case(*host);
  if (hosts != 1 || !hosts_.allows_host(*host) || wrong_form)
    return problem(421, {"the request is not addressed to this server",
                         "use the address that `ridge serve` printed, or start it with --allowed-host"});
  if (head.method == "OPTIONS")
    return forbidden("pages of other origins may not use this server", "ask from a page of this server");
  const auto origin = value_of(head.fields, "origin");
  if (origin && !hosts_.allows_origin(*origin))
    return forbidden("the request comes from a page of another origin", "ask from a page of this server");
  return std::nullopt;
}

std::optional<response> request_guard::too_many(const std::string& peer) {
  const auto wait = failures_.wait_s(peer, std::chrono::steady_clock::now());
  if (wait == 0) return std::nullopt;
  auto made = problem(
      429, {"too many tokens of this address were wrong", "try again after the seconds of Retry-After"});
  made.fields.push_back({"Retry-After", std::to_string(wait)});
  return made;
}

void request_guard::failed(const std::string& peer) {
  failures_.add(peer, std::chrono::steady_clock::now());
  note("a wrong token from " + peer);
}

std::optional<std::string_view> request_guard::session_of(const request_head& head) const {
  const auto cookies = value_of(head.fields, "cookie");
  if (!cookies) return std::nullopt;
  for (auto part : split(*cookies, ';')) {
    part = trim(part);
    const auto equals = part.find('=');
    if (equals != std::string_view::npos && part.substr(0, equals) == cookie_) return part.substr(equals + 1);
  }
  return std::nullopt;
}

request_guard::grant request_guard::by_credentials(const request_head& head, const std::string& peer) {
  const auto now = std::chrono::system_clock::now();
  if (const auto authorization = value_of(head.fields, "authorization")) {
    if (auto refused = too_many(peer)) return {.refused = std::move(refused)};
    constexpr std::string_view scheme = "bearer ";
    const bool is_bearer = lower_case(authorization->substr(0, scheme.size())) == scheme;
    const auto granted =
        is_bearer ? book_.granted(trim(authorization->substr(scheme.size())), now) : std::nullopt;
    if (granted) return {.granted = *granted};
    failed(peer);
    return {.refused = unauthorized("the token is unknown or has expired")};
  }
  if (const auto session = session_of(head)) {
    // A session that has ended is no failed guess: pages that were left open send it every few seconds.
    if (const auto granted = book_.session_granted(*session, now))
      return {.granted = *granted, .by_cookie = true};
    return {.refused = unauthorized("the session has ended")};
  }
  return {.refused = unauthorized("this server asks for a token")};
}

std::optional<response> request_guard::unsafe_refusal(const request_head& head, const route& found,
                                                      bool by_cookie) const {
  if (value_of(head.fields, "x-ridge-request").value_or("").empty())
    return forbidden("a request that changes something must carry the header X-Ridge-Request",
                     "add `X-Ridge-Request: 1`");
  const auto site = value_of(head.fields, "sec-fetch-site");
  const bool same_site = site && (*site == "same-origin" || *site == "none");
  if (site && !same_site)
    return forbidden("the request comes from a page of another origin", "ask from a page of this server");
  // An Origin that is given was found to be one of this server before routing.
  if (by_cookie && !same_site && !value_of(head.fields, "origin"))
    return forbidden("a session may change something only from a page of this server",
                     "send the header Authorization: Bearer TOKEN");
  const auto type = media_type(value_of(head.fields, "content-type").value_or(""));
  auto expected = found.body_types;
  if (expected.empty()) expected.emplace_back("application/json");
  const bool has_body = value_of(head.fields, "content-length").value_or("0") != "0" ||
                        value_of(head.fields, "transfer-encoding").has_value();
  const bool is_expected = std::ranges::find(expected, lower_case(type)) != expected.end();
  if ((head.method != "DELETE" || has_body) && !is_expected)
    return problem(415, {"the body must be " + join(expected, " or "),
                         "send the header Content-Type: " + expected.front()});
  return std::nullopt;
}

request_guard::grant request_guard::granted(const request_head& head, const route& found,
                                            const std::string& peer) {
  const auto site = value_of(head.fields, "sec-fetch-site");
  if (found.needs != scope::open && site && *site != "same-origin" && *site != "none")
    return {.refused = forbidden("the request comes from a page of another origin",
                                 "ask from a page of this server, or without a browser")};
  grant made{.granted = open_access_ ? open_scope_ : scope::open};
  if (found.needs != scope::open && !open_access_) made = by_credentials(head, peer);
  if (made.refused) return made;
  if (made.granted < found.needs) {
    note("a token with the scope " + std::string(name(made.granted)) + " was refused " + head.method + " " +
         found.pattern);
    made.refused = forbidden("this needs a token with the scope " + std::string(name(found.needs)) +
                                 "; the one that was sent has " + std::string(name(made.granted)),
                             "use another token");
    return made;
  }
  if (!is_unsafe(head.method)) return made;
  made.refused = unsafe_refusal(head, found, made.by_cookie);
  if (!made.refused) note(head.method + " " + found.pattern + " by " + peer);
  return made;
}

response request_guard::open_session(std::string_view token, const std::string& peer) {
  if (auto refused = too_many(peer)) return *std::move(refused);
  const auto session = book_.open_session(token, std::chrono::system_clock::now());
  if (!session) {
    failed(peer);
    return unauthorized("the token is unknown or has expired");
  }
  auto made = json_response("{}");
  made.fields.push_back(
      {"Set-Cookie", cookie_ + "=" + *session + "; HttpOnly; SameSite=Strict; Path=/; Max-Age=" +
                         std::to_string(session_time_.count() / 1000) + (secure_cookie_ ? "; Secure" : "")});
  return made;
}

response request_guard::close_session(const request_head& head) {
  if (const auto session = session_of(head)) book_.close_session(*session);
  response made;
  made.status = 204;
  made.fields.push_back({"Set-Cookie", cookie_ + "=; HttpOnly; SameSite=Strict; Path=/; Max-Age=0"});
  return made;
}

}  // namespace ridge::server
