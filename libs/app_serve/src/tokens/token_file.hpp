// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <ridge/base/result.hpp>
#include <ridge/server/options.hpp>

namespace ridge::app_serve {

// Reads tokens, one a line: "TOKEN [SCOPE [YYYY-MM-DD]]", where the scope is read, write, run or admin (admin
// where it is left out) and the day the first on which the token is no longer good (UTC). Lines that begin
// with
// `#` and empty ones are passed over. `path` is for messages, which never repeat a token.
[[nodiscard]] result<std::vector<server::access_token>> tokens_in(std::string_view text,
                                                                  const std::string& path);

// Reads the tokens of a file. Where there is no file it is made for this user alone, with one drawn token. A
// file that others may read is refused.
[[nodiscard]] result<std::vector<server::access_token>> tokens_of_file(const std::string& path);

}  // namespace ridge::app_serve
