// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace ridge::server {

// Returns the text as a gzip file (RFC 1952) without a name or time, so that equal texts have equal files.
// `level` is zlib's: 1 is fastest, 9 smallest. Throws failure where zlib has no memory.
[[nodiscard]] std::string gzipped(std::string_view text, int level);

// Returns whether an Accept-Encoding field takes gzip: named or `*`, and not with `q=0`.
[[nodiscard]] bool accepts_gzip(std::string_view accept_encoding);

// Returns whether an If-None-Match field names this entity tag (weak comparison, RFC 9110 section 8.8.3.2).
[[nodiscard]] bool names_tag(std::string_view if_none_match, std::string_view tag);

}  // namespace ridge::server
