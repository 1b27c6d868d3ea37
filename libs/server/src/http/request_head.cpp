// SPDX-License-Identifier: Apache-2.0
#include "http/request_head.hpp"

#include <algorithm>
#include <charconv>
#include <string>

#include <ridge/base/text.hpp>

namespace ridge::server {
namespace {

refusal misframed(std::string message) {
  return {400, {std::move(message), "send a request as RFC 9112 describes it"}};
}

bool is_length(std::string_view text, std::uint64_t& length) {
  if (text.empty() || !std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; })) return false;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), length);
  return code == std::errc{} && end == text.data() + text.size();
}

}  // namespace

std::optional<refusal> framing_refusal(const request_head& head, body_framing& framing) {
  for (const std::string_view once :
       {"content-length", "transfer-encoding", "host", "authorization", "cookie", "origin", "sec-fetch-site",
        "content-type", "expect", "idempotency-key", "last-event-id", "x-ridge-request"}) {
    // A Host that is given twice is a matter of the guard, which answers 421.
    if (once != "host" && std::ranges::count(head.fields, once, &named_text::name) > 1)
      return misframed("the header field " + std::string(once) + " is given twice");
  }
  const auto length = value_of(head.fields, "content-length");
  const auto encoding = value_of(head.fields, "transfer-encoding");
  if (length && encoding) return misframed("the header states both Content-Length and Transfer-Encoding");
  if (length && !is_length(*length, framing.length))
    return misframed("Content-Length is not a number of bytes");
  if (encoding) {
    if (head.is_1_0) return misframed("HTTP/1.0 has no Transfer-Encoding");
    if (lower_case(*encoding) != "chunked")
      return refusal{501, {"this server knows the transfer encoding chunked alone", "send the body plain"}};
    framing.chunked = true;
  }
  return std::nullopt;
}

}  // namespace ridge::server
