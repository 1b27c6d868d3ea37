// SPDX-License-Identifier: Apache-2.0
#include "http/header_check.hpp"

#include <algorithm>

namespace ridge::server {
namespace {

constexpr bool is_control(char letter) {
  const auto code = static_cast<unsigned char>(letter);
  return (code < 0x20 && letter != '\t') || code == 0x7f;
}

constexpr bool is_token_letter(char letter) {
  return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
         (letter >= '0' && letter <= '9') ||
         std::string_view("!#$%&'*+-.^_`|~").find(letter) != std::string_view::npos;
}

bool is_token(std::string_view text) { return !text.empty() && std::ranges::all_of(text, is_token_letter); }

refusal broken(const char* message) { return {400, {message, "send a request as RFC 9112 describes it"}}; }

std::optional<refusal> request_line_refusal(std::string_view line) {
  const auto first = line.find(' ');
  const auto last = line.rfind(' ');
  if (first == std::string_view::npos || first == last) return broken("the request line has not three parts");
  if (!is_token(line.substr(0, first))) return broken("the method holds letters that no method has");
  const auto target = line.substr(first + 1, last - first - 1);
  const auto odd = [](char letter) {
    return static_cast<unsigned char>(letter) <= 0x20 || static_cast<unsigned char>(letter) >= 0x7f;
  };
  if (target.empty() || std::ranges::any_of(target, odd))
    return broken("the target holds blanks or bytes that must be encoded");
  const auto version = line.substr(last + 1);
  if (version == "HTTP/1.1" || version == "HTTP/1.0") return std::nullopt;
  if (version.starts_with("HTTP/")) return refusal{505, {"this server speaks HTTP/1.1", ""}};
  return broken("the request line does not end in a version");
}

std::optional<refusal> field_refusal(std::string_view line) {
  if (line.front() == ' ' || line.front() == '\t') return broken("a header line continues the one before");
  const auto colon = line.find(':');
  if (colon == std::string_view::npos) return broken("a header line has no colon");
  if (!is_token(line.substr(0, colon))) return broken("the name of a header field is not a token");
  if (std::ranges::any_of(line.substr(colon + 1), is_control))
    return broken("the value of a header field holds control characters");
  return std::nullopt;
}

}  // namespace

std::optional<refusal> header_refusal(std::string_view header) {
  bool at_start = true;
  while (true) {
    const auto end = header.find('\n');
    if (end == std::string_view::npos) return broken("the header does not end");
    if (end == 0 || header[end - 1] != '\r') return broken("a line ends without a carriage return");
    const auto line = header.substr(0, end - 1);
    if (line.find('\r') != std::string_view::npos) return broken("a carriage return stands inside a line");
    header.remove_prefix(end + 1);
    if (line.empty()) {
      if (at_start) return broken("the request line is empty");
      return header.empty() ? std::nullopt : std::optional(broken("bytes follow the end of the header"));
    }
    if (auto refused = at_start ? request_line_refusal(line) : field_refusal(line)) return refused;
    at_start = false;
  }
}

}  // namespace ridge::server
