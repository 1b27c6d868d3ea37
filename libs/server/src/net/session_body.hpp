// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include <ridge/base/result.hpp>

namespace ridge::server {

// Returns the token in the body of a login, {"token": "..."}; an error for any other body.
[[nodiscard]] result<std::string> token_in(std::string_view body);

}  // namespace ridge::server
