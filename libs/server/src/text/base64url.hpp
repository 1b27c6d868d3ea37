// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace ridge::server {

// Returns the bytes in the alphabet of RFC 4648, section 5 (letters, digits, `-`, `_`), without padding.
[[nodiscard]] std::string base64url(std::string_view bytes);

// Returns the bytes that such a text stands for; nothing for a text that base64url never returns.
[[nodiscard]] std::optional<std::string> base64url_decoded(std::string_view text);

}  // namespace ridge::server
