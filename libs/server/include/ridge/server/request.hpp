// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <ridge/server/named_text.hpp>
#include <ridge/server/scope.hpp>

namespace ridge::server {

// The methods that routes may have. HEAD is answered by the route of GET; OPTIONS is always refused.
enum class http_method : std::uint8_t { get, head, post, put, patch, erase };

// Returns "GET", "HEAD", "POST", "PUT", "PATCH" or "DELETE".
[[nodiscard]] std::string_view name(http_method method);

// A request that passed every check: its host, its token, its origin and the types of its parameters. Fields
// that carry secrets (Authorization, Cookie) are not among `fields`.
struct request {
  http_method method = http_method::get;
  std::string path{};                   // decoded, and the text that was routed
  std::vector<named_text> query{};      // decoded, in the order given; every name at most once
  std::vector<named_text> variables{};  // of the pattern: {"id", "01J..."}
  std::vector<named_text> fields{};     // of the header; names in small letters
  std::string body{};                   // empty for a route that receives its body in parts
  scope granted = scope::open;
  std::string peer{};  // the address of the other side; "unix" for a socket in the file system
};

// Returns a parameter of the query, or nothing where it was not given.
[[nodiscard]] std::optional<std::string> query_value(const request& asked, std::string_view name);

// Returns a variable of the path. The pattern of the route must have it.
[[nodiscard]] const std::string& path_value(const request& asked, std::string_view name);

}  // namespace ridge::server
