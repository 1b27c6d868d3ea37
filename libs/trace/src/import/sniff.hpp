// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <ridge/base/error.hpp>

#include "import/input_unpacker.hpp"

namespace ridge::trace {

// Formats are recognised by the first bytes of a content, never by a name.
inline constexpr std::size_t sniffed_bytes = std::size_t{64} << 10;

// Returns the unpacker for a content that begins with `head`; nullptr where it is not compressed.
[[nodiscard]] std::unique_ptr<unpacker> unpacker_of(std::string_view head);

[[nodiscard]] bool is_zip(std::string_view head);
[[nodiscard]] bool is_tar(std::string_view head);

// Returns why a content that begins with `head` cannot be read as a trace, with the command that makes a
// readable one; nullopt where its format is not known to be unreadable. `name` is the input's name in the
// error.
[[nodiscard]] std::optional<error> unreadable_format(std::string_view head, const std::string& name);

}  // namespace ridge::trace
