// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace ridge::server {

// What a route asks for and a token grants. Each scope includes those before it; `open` asks for no token.
enum class scope : std::uint8_t { open, read, write, run, admin };

// Returns "open", "read", "write", "run" or "admin".
[[nodiscard]] std::string_view name(scope granted);

// Returns the scope of this name; nothing for any other text.
[[nodiscard]] std::optional<scope> scope_named(std::string_view text);

}  // namespace ridge::server
