// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>

#include <ridge/base/error.hpp>

namespace ridge::server {

// Why a header is refused: the status and what is wrong.
struct refusal {
  int status = 400;
  error why{};
};

// Looks at the bytes of a request line and its header, up to and with the empty line that ends them, before
// anything interprets them. It accepts less than RFC 9112 allows: lines end in CR LF alone, no line continues
// the one before, names are tokens that the colon follows at once, values hold no control characters. Two
// readers of such a header cannot disagree on where it ends, so no request can hide in another.
[[nodiscard]] std::optional<refusal> header_refusal(std::string_view header);

}  // namespace ridge::server
