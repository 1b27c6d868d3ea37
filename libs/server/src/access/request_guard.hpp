// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include <ridge/server/options.hpp>
#include <ridge/server/response.hpp>
#include <ridge/server/service.hpp>

#include "access/failure_limit.hpp"
#include "access/host_list.hpp"
#include "access/token_book.hpp"
#include "http/request_head.hpp"
#include "http/request_target.hpp"

namespace ridge::server {

// Returns the answer to a request with credentials that grant nothing, or with none.
[[nodiscard]] response unauthorized(std::string message);

// Decides who may ask. It looks at every request in this order: host, method, origin (before routing); then,
// for the route that was found, credentials, scope, and what a request that changes something must carry.
// Used by one thread, except for `book`.
class request_guard final {
 public:
  request_guard(const options& chosen, std::uint16_t port, token_book& book);

  // Returns the answer to a request of a wrong host (421), with OPTIONS (403), of a foreign origin (403).
  [[nodiscard]] std::optional<response> refused(const request_head& head, const request_target& target) const;

  // Returns what the request is granted, or the answer that refuses it: 401, 403, 415 or 429. Routes that
  // need a scope are for pages of this server alone, also where a browser sends no Origin (Sec-Fetch-Site).
  struct grant {
    std::optional<response> refused{};
    scope granted = scope::open;
    bool by_cookie = false;
  };
  [[nodiscard]] grant granted(const request_head& head, const route& found, const std::string& peer);

  // Opens a session for a token that was sent to /session: 200 with a cookie, 401 or 429.
  [[nodiscard]] response open_session(std::string_view token, const std::string& peer);
  // Ends the session of this request: 204.
  [[nodiscard]] response close_session(const request_head& head);

  // Returns the secret of the session cookie; nothing where there is none.
  [[nodiscard]] std::optional<std::string_view> session_of(const request_head& head) const;

 private:
  [[nodiscard]] grant by_credentials(const request_head& head, const std::string& peer);
  [[nodiscard]] std::optional<response> unsafe_refusal(const request_head& head, const route& found,
                                                       bool by_cookie) const;
  [[nodiscard]] std::optional<response> too_many(const std::string& peer);
  void failed(const std::string& peer);
  void note(std::string_view line) const;

  host_list hosts_;
  token_book& book_;
  failure_limit failures_;
  std::string cookie_{};
  bool secure_cookie_;
  bool open_access_;
  scope open_scope_;
  std::chrono::milliseconds session_time_;
  std::function<void(std::string_view)> audit_{};
};

}  // namespace ridge::server
