// SPDX-License-Identifier: Apache-2.0
#include "net/session_body.hpp"

#include <nlohmann/json.hpp>

namespace ridge::server {

result<std::string> token_in(std::string_view body) {
  const auto document = nlohmann::json::parse(body, nullptr, false);
  const auto wrong =
      error{"the body is not {\"token\": \"...\"}", "send the token of the address that was printed"};
  if (!document.is_object()) return wrong;
  const auto token = document.find("token");
  if (token == document.end() || !token->is_string()) return wrong;
  return token->get<std::string>();
}

}  // namespace ridge::server
