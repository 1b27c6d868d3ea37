// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <ridge/server/named_text.hpp>

#include "http/header_check.hpp"

namespace ridge::server {

// A request line and its header as they were sent.
struct request_head {
  std::string method{};
  std::string target{};
  std::vector<named_text> fields{};  // names in small letters
  bool keep_alive = true;            // the client wants to send more on this connection
  bool is_1_0 = false;               // HTTP/1.0
};

// How the body of a request is delimited.
struct body_framing {
  bool chunked = false;
  std::uint64_t length = 0;  // 0 for a chunked one
};

// Returns how the body is delimited, or why the request is refused: Content-Length together with
// Transfer-Encoding, either of them twice, a length that is no number, an encoding other than "chunked" or in
// HTTP/1.0; and Host, Authorization, Cookie, Origin or Content-Type given twice.
[[nodiscard]] std::optional<refusal> framing_refusal(const request_head& head, body_framing& framing);

}  // namespace ridge::server
